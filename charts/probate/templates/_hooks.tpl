{{/* Of a hook: kept when it fails, so that its log can be read; gone when it succeeds. */}}
{{- define "probate.hookAnnotations" -}}
helm.sh/hook: {{ .hook }}
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}

{{/* No pod of the Service. */}}
{{- define "probate.hookLabels" -}}
app.kubernetes.io/name: {{ include "probate.name" .root }}-{{ .verb }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- define "probate.hookPod" -}}
{{- $root := .root -}}
{{- $agent := eq $root.Values.mode "agent" -}}
serviceAccountName: {{ include "probate.fullname" $root }}-{{ .verb }}
automountServiceAccountToken: true
enableServiceLinks: false
restartPolicy: Never
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- if $agent }}
# First the cluster, whose agent stops with the Lease; then the hub, where it would put its finalizers back.
initContainers:
{{- else }}
containers:
{{- end }}
  - name: {{ .verb | quote }}
    args:
      - {{ .verb }}
      {{- include (printf "probate.arguments.%s" .verb) $root | nindent 6 }}
    {{- include "probate.hookContainer" $root | nindent 4 }}
{{- if $agent }}
containers:
  - name: hub
    args:
      - remove
      {{- include "probate.arguments.removeWorks" $root | nindent 6 }}
    volumeMounts:
      - {name: hub, mountPath: /etc/probate/hub, readOnly: true}
    {{- include "probate.hookContainer" $root | nindent 4 }}
{{- end }}
{{- if $agent }}
volumes:
  - name: hub
    secret: {secretName: {{ $root.Values.hub.kubeconfigSecret | quote }}, defaultMode: 0440}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "probate.hookContainer" -}}
image: {{ include "probate.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
resources:
  requests: {cpu: 10m, memory: 32Mi}
  limits: {memory: 128Mi}
securityContext: {{- toYaml .Values.securityContext | nindent 2 }}
{{- end -}}

{{- define "probate.arguments.selftest" -}}
- --webhook-configuration={{ include "probate.fullname" . }}
- --lease-namespace={{ .Release.Namespace }}
{{- end -}}

{{/*
Only the steps for what this release does. Of works, only those of this very cluster: agents of other clusters still run,
and theirs are not ours to touch.
*/}}
{{- define "probate.arguments.remove" -}}
{{- $parts := .Files.Get "files/parts.yaml" | fromYaml -}}
{{- $hub := eq .Values.mode "hub" -}}
{{- $work := include "probate.runs" (dict "root" . "name" "work") -}}
{{- $wanted := list "lease" -}}
{{- if $hub }}{{ $wanted = concat $wanted (list "configuration" "labels" "marks" "clusters") }}{{ end -}}
{{- if $work }}{{ $wanted = append $wanted "applied-works" }}{{ end -}}
{{- if and $hub $work }}{{ $wanted = append $wanted "works" }}{{ end -}}
{{- if include "probate.runs" (dict "root" . "name" "policy") }}{{ $wanted = append $wanted "policies" }}{{ end -}}
{{- if include "probate.runs" (dict "root" . "name" "claims") }}{{ $wanted = append $wanted "claims" }}{{ end -}}
{{- $skipped := list -}}
{{- range $parts.hooks.remove.steps -}}
{{- if not (has . $wanted) }}{{ $skipped = append $skipped . }}{{ end -}}
{{- end -}}
- --lease-namespace={{ .Release.Namespace }}
- --lease-name={{ include "probate.fullname" . }}
- --timeout={{ .Values.hooks.remove.timeoutSeconds }}s
{{- if $hub }}
- --webhook-configuration={{ include "probate.fullname" . }}
{{- end }}
{{- if and $hub $work }}
- --cluster-name={{ .Values.works.clusterName }}
{{- end }}
{{- if has "claims" $wanted }}
{{- with .Values.claimResources }}
- --claim-resource={{ join "," . }}
{{- end }}
{{- end }}
{{- with $skipped }}
- --skip={{ join "," . }}
{{- end }}
{{- end -}}

{{/* On the hub of an agent: works, and nothing else. */}}
{{- define "probate.arguments.removeWorks" -}}
{{- $parts := .Files.Get "files/parts.yaml" | fromYaml -}}
- --kubeconfig=/etc/probate/hub/{{ .Values.hub.kubeconfigKey }}
- --cluster-name={{ .Values.works.clusterName }}
- --skip={{ join "," (without $parts.hooks.remove.steps "works") }}
- --timeout={{ .Values.hooks.remove.timeoutSeconds }}s
{{- end -}}

{{/* The account of a hook and its rights; they come before the hook itself, by weight. */}}
{{- define "probate.hookAccount" -}}
{{- $name := printf "%s-%s" (include "probate.fullname" .root) .verb -}}
{{- $annotations := include "probate.hookAnnotations" (dict "hook" .hook "weight" "-5") -}}
{{- $labels := include "probate.labels" .root -}}
{{- $namespace := .root.Release.Namespace -}}
{{- $rights := include "probate.hookRights" (dict "root" .root "verb" .verb) | fromYaml -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name | quote }}
  namespace: {{ $namespace | quote }}
  labels: {{- $labels | nindent 4 }}
  annotations: {{- $annotations | nindent 4 }}
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ $name | quote }}
  labels: {{- $labels | nindent 4 }}
  annotations: {{- $annotations | nindent 4 }}
rules: {{- include "probate.policyRules" (dict "root" .root "rules" $rights.cluster) | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $name | quote }}
  labels: {{- $labels | nindent 4 }}
  annotations: {{- $annotations | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ $name | quote }}
subjects:
  - kind: ServiceAccount
    name: {{ $name | quote }}
    namespace: {{ $namespace | quote }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name | quote }}
  namespace: {{ $namespace | quote }}
  labels: {{- $labels | nindent 4 }}
  annotations: {{- $annotations | nindent 4 }}
rules: {{- include "probate.policyRules" (dict "root" .root "rules" $rights.namespace) | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name | quote }}
  namespace: {{ $namespace | quote }}
  labels: {{- $labels | nindent 4 }}
  annotations: {{- $annotations | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name | quote }}
subjects:
  - kind: ServiceAccount
    name: {{ $name | quote }}
    namespace: {{ $namespace | quote }}
{{- end -}}

{{/* The rights of a hook, without those that its steps here do not need: {cluster: [...], namespace: [...]}. */}}
{{- define "probate.hookRights" -}}
{{- $parts := .root.Files.Get "files/parts.yaml" | fromYaml -}}
{{- $rights := index $parts.hooks .verb -}}
{{- $agent := eq .root.Values.mode "agent" -}}
{{- $runs := dict -}}
{{- range $name, $group := dict "work" "work.open-cluster-management.io" "policy" "policy.open-cluster-management.io" -}}
{{- $_ := set $runs $group (include "probate.runs" (dict "root" $.root "name" $name)) -}}
{{- end -}}
{{- $cluster := list -}}
{{- range $rights.cluster -}}
{{- $group := first .apiGroups -}}
{{- if ternary (get $runs $group) (not $agent) (hasKey $runs $group) -}}
{{- $resources := ternary (without .resources "manifestworks") .resources $agent -}}
{{- $cluster = append $cluster (merge (dict "resources" $resources) .) -}}
{{- end -}}
{{- end -}}
{{- if and $rights.claims .root.Values.claimResources (include "probate.runs" (dict "root" .root "name" "claims")) -}}
{{- $cluster = concat $cluster $rights.claims.cluster -}}
{{- range .root.Values.claimResources -}}
{{- $resource := include "probate.resource" . | fromYaml -}}
{{- $cluster = append $cluster (dict "apiGroups" (list $resource.group) "resources" (list $resource.plural) "verbs" $rights.claims.verbs) -}}
{{- end -}}
{{- end -}}
{{- dict "cluster" $cluster "namespace" $rights.namespace | toYaml -}}
{{- end -}}
