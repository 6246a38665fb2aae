{{/* The command line of the container. */}}
{{- define "probate.arguments" -}}
{{- if eq .Values.mode "hub" -}}
- serve
{{ include "probate.hubArguments" . }}
{{- else -}}
- agent
{{ include "probate.agentArguments" . }}
{{- end }}
{{ include "probate.commonArguments" . }}
{{- end -}}

{{- define "probate.commonArguments" -}}
- --ops-listen=:{{ .Values.ports.ops }}
- --lease-namespace={{ .Release.Namespace }}
- --lease-name={{ include "probate.fullname" . }}
- --lease-duration={{ .Values.leaderElection.leaseDuration }}
- --workers={{ .Values.workers }}
- --log-format={{ .Values.logFormat }}
- --log-level={{ .Values.logLevel }}
{{- with .Values.extraArgs }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "probate.hubArguments" -}}
- --listen=:{{ .Values.ports.webhook }}
- --shutdown-delay={{ .Values.shutdownDelaySeconds }}s
- {{ printf "--rules=%s" (include "probate.ruleNames" .) | quote }}
{{- with include "probate.ruleModes" . }}
- --rule-mode={{ . }}
{{- end }}
{{- if semverCompare "<1.21.0-0" .Capabilities.KubeVersion.Version }}
- --exempt-namespaces={{ append .Values.webhook.exemptNamespaces .Release.Namespace | uniq | join "," }}
{{- end }}
- {{ printf "--controllers=%s" (include "probate.controllerNames" .) | quote }}
- --feature-gates={{ include "probate.featureGates" . }}
{{- if include "probate.runs" (dict "root" . "name" "cluster-deletion") }}
{{- with .Values.resourcesToMonitorForDeletion }}
- --resources-to-monitor-for-deletion={{ join "," . }}
{{- end }}
- --delete-works={{ .Values.deleteWorks }}
{{- with .Values.clusterFinalizer }}
- --cluster-finalizer={{ . }}
{{- end }}
{{- end }}
{{- with .Values.claimResources }}
- --claim-resource={{ join "," . }}
{{- end }}
{{- with .Values.claimFinalizer }}
- --claim-finalizer={{ . }}
{{- end }}
{{- if include "probate.runs" (dict "root" . "name" "work") }}
{{ include "probate.workArguments" . }}
{{- end }}
{{- with include "probate.policyNamespace" . }}
- --policy-namespace={{ . }}
{{- end }}
- --webhook-configuration={{ include "probate.fullname" . }}
{{- if eq .Values.certs.mode "self" }}
- --certs-secret={{ .Release.Namespace }}/{{ include "probate.caSecret" . }}
- --service-name={{ include "probate.serverName" . }}
{{- else }}
{{- $keys := dict "certKey" "tls.crt" "keyKey" "tls.key" "caKey" .Values.certs.certManager.caKey }}
{{- if eq .Values.certs.mode "existingSecret" }}
{{- $keys = .Values.certs.existingSecret }}
{{- end }}
- --tls-cert=/etc/probate/tls/{{ $keys.certKey }}
- --tls-key=/etc/probate/tls/{{ $keys.keyKey }}
{{- with $keys.caKey }}
- --ca-bundle=/etc/probate/tls/{{ . }}
{{- end }}
{{- end }}
{{- with .Values.webhook.clientCA }}
{{- if .configMap }}
- --client-ca=/etc/probate/client-ca/{{ .key }}
{{- with .names }}
- --client-names={{ join "," . }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "probate.agentArguments" -}}
- --controllers=work{{ if include "probate.runs" (dict "root" . "name" "policy") }},policy{{ end }}
- --hub-kubeconfig=/etc/probate/hub/{{ .Values.hub.kubeconfigKey }}
{{ include "probate.workArguments" . }}
{{- with include "probate.policyNamespace" . }}
- --policy-namespace={{ . }}
{{- end }}
{{- end -}}

{{- define "probate.workArguments" -}}
- --cluster-name={{ .Values.works.clusterName }}
{{- with .Values.works.agentID }}
- --agent-id={{ . }}
{{- end }}
- --eviction-grace-period={{ .Values.works.evictionGracePeriod }}
{{- end -}}
