{{/* Of a hook: kept when it fails, so that its log can be read; gone when it succeeds. */}}
{{- define "probate.hookAnnotations" -}}
helm.sh/hook: {{ .hook }}
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}

{{/* No pod of the Service. */}}
{{- define "probate.hookLabels" -}}
app.kubernetes.io/name: {{ include "probate.name" .root }}-{{ .verb }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- define "probate.hookPod" -}}
{{- $root := .root -}}
serviceAccountName: {{ include "probate.fullname" $root }}-{{ .verb }}
automountServiceAccountToken: true
enableServiceLinks: false
restartPolicy: Never
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
containers:
  - name: {{ .verb }}
    image: {{ include "probate.image" $root | quote }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args:
      - {{ .verb }}
      - --webhook-configuration={{ include "probate.fullname" $root }}
    resources:
      requests: {cpu: 10m, memory: 32Mi}
      limits: {memory: 128Mi}
    securityContext: {{- toYaml $root.Values.securityContext | nindent 6 }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The account of a hook and its rights; they come before the hook itself, by weight. */}}
{{- define "probate.hookAccount" -}}
{{- $name := printf "%s-%s" (include "probate.fullname" .root) .verb -}}
{{- $annotations := include "probate.hookAnnotations" (dict "hook" .hook "weight" "-5") -}}
{{- $labels := include "probate.labels" .root -}}
{{- $namespace := .root.Release.Namespace -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels: {{- $labels | nindent 4 }}
  annotations: {{- $annotations | nindent 4 }}
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ $name }}
  labels: {{- $labels | nindent 4 }}
  annotations: {{- $annotations | nindent 4 }}
rules: {{- include (printf "probate.rights.%s" .verb) .root | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $name }}
  labels: {{- $labels | nindent 4 }}
  annotations: {{- $annotations | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ $namespace }}
{{- end -}}

{{/* Takes away the registration, then labels, then finalizers that Probate put. */}}
{{- define "probate.rights.remove" -}}
- apiGroups: [admissionregistration.k8s.io]
  resources: [validatingwebhookconfigurations]
  verbs: [get, delete]
  resourceNames: [{{ include "probate.fullname" . }}]
- apiGroups: [apps]
  resources: [deployments]
  verbs: [get, list, patch]
- apiGroups: [""]
  resources: [namespaces]
  verbs: [get, list, patch]
- apiGroups: [probate.dev]
  resources: [criticalservices]
  verbs: [get, list, patch]
- apiGroups: [cluster.open-cluster-management.io]
  resources: [managedclusters]
  verbs: [get, list, patch]
{{- end -}}

{{/* Asks the API server, by a dry run, for something that only Probate refuses. */}}
{{- define "probate.rights.selftest" -}}
- apiGroups: [admissionregistration.k8s.io]
  resources: [validatingwebhookconfigurations]
  verbs: [get]
  resourceNames: [{{ include "probate.fullname" . }}]
- apiGroups: [probate.dev]
  resources: [criticalservices]
  verbs: [create]
{{- end -}}
