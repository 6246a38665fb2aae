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
- --shutdown-delay={{ .Values.shutdownDelaySeconds }}s
- --workers={{ .Values.workers }}
- --log-format={{ .Values.logFormat }}
- --log-level={{ .Values.logLevel }}
{{- with .Values.extraArgs }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "probate.hubArguments" -}}
- --listen=:{{ .Values.ports.webhook }}
- {{ printf "--rules=%s" (include "probate.ruleNames" .) | quote }}
{{- with include "probate.ruleModes" . }}
- --rule-mode={{ . }}
{{- end }}
- {{ printf "--controllers=%s" (include "probate.controllerNames" .) | quote }}
- --feature-gates={{ include "probate.featureGates" . }}
{{- with .Values.resourcesToMonitorForDeletion }}
- --resources-to-monitor-for-deletion={{ join "," . }}
{{- end }}
- --delete-works={{ .Values.deleteWorks }}
{{- with .Values.clusterFinalizer }}
- --cluster-finalizer={{ . }}
{{- end }}
{{- with .Values.claimResources }}
- --claim-resource={{ join "," . }}
{{- end }}
- --webhook-configuration={{ include "probate.fullname" . }}
{{- if eq .Values.certs.mode "self" }}
- --certs-secret={{ .Release.Namespace }}/{{ include "probate.caSecret" . }}
- --service-name={{ include "probate.serverName" . }}
{{- else if eq .Values.certs.mode "existingSecret" }}
- --tls-cert=/etc/probate/tls/{{ .Values.certs.existingSecret.certKey }}
- --tls-key=/etc/probate/tls/{{ .Values.certs.existingSecret.keyKey }}
{{- else }}
- --tls-cert=/etc/probate/tls/tls.crt
- --tls-key=/etc/probate/tls/tls.key
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
- --hub-kubeconfig=/etc/probate/hub/{{ .Values.agent.hubKubeconfigKey }}
- --cluster-name={{ .Values.agent.clusterName }}
{{- with .Values.agent.agentID }}
- --agent-id={{ . }}
{{- end }}
- --eviction-grace-period={{ .Values.agent.evictionGracePeriod }}
{{- end -}}
