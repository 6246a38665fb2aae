{{/* Names. */}}

{{- define "probate.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}{{/* room for what hooks add to it */}}
{{- end -}}

{{- define "probate.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "probate.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "probate.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "probate.caSecret" -}}
{{- .Values.certs.secretName | default (printf "%s-ca" (include "probate.fullname" .)) -}}
{{- end -}}

{{/* The Secret with certificate and key that is mounted; none in mode self. */}}
{{- define "probate.tlsSecret" -}}
{{- if eq .Values.certs.mode "existingSecret" -}}
{{- .Values.certs.existingSecret.name -}}
{{- else if eq .Values.certs.mode "certManager" -}}
{{- .Values.certs.secretName | default (printf "%s-tls" (include "probate.fullname" .)) -}}
{{- end -}}
{{- end -}}

{{/* The name that the API server expects in the certificate. */}}
{{- define "probate.serverName" -}}
{{- if .Values.webhook.url -}}
{{- regexReplaceAll "^https://(\\[[^]]*\\]|[^:/]+).*$" .Values.webhook.url "${1}" | trimPrefix "[" | trimSuffix "]" -}}
{{- else -}}
{{- printf "%s.%s.svc" (include "probate.fullname" .) .Release.Namespace -}}
{{- end -}}
{{- end -}}

{{- define "probate.image" -}}
{{- $image := .Values.image -}}
{{- with $image.registry }}{{ . }}/{{ end -}}
{{- $image.repository -}}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end -}}

{{- define "probate.selectorLabels" -}}
app.kubernetes.io/name: {{ include "probate.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "probate.labels" -}}
{{ include "probate.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The same and more of the user's, of which the nearest counts: {root, more}. */}}
{{- define "probate.labelsAnd" -}}
{{- merge (deepCopy .more) (include "probate.labels" .root | fromYaml) | toYaml -}}
{{- end -}}

{{/* PLURAL.GROUP, PLURAL.VERSION.GROUP, PLURAL or PLURAL.VERSION, as {plural, group}. */}}
{{- define "probate.resource" -}}
{{- $plural := regexFind "^[^.]*" . -}}
{{- $rest := trimPrefix $plural . | trimPrefix "." -}}
{{- $group := regexReplaceAll "^v[0-9]+((alpha|beta)[0-9]+)?(\\.|$)" $rest "" -}}
{{- dict "plural" $plural "group" $group | toYaml -}}
{{- end -}}
