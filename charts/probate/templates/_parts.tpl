{{/*
What is switched on, out of files/parts.yaml. Each gives YAML: a Helm template has no other way to return a list.
*/}}

{{/* The rules that judge: {rules: [part, ...]}. */}}
{{- define "probate.rules" -}}
{{- $parts := .Files.Get "files/parts.yaml" | fromYaml -}}
{{- $on := list -}}
{{- if eq .Values.mode "hub" -}}
{{- range $part := $parts.rules -}}
{{- $mode := index $.Values.rules $part.name -}}
{{- if and $mode (ne (toString $mode) "off") -}}
{{- $on = append $on $part -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- dict "rules" $on | toYaml -}}
{{- end -}}

{{/* Their webhooks, and those that are there whatever is chosen: {webhooks: [webhook, ...]}. */}}
{{- define "probate.webhooks" -}}
{{- $parts := .Files.Get "files/parts.yaml" | fromYaml -}}
{{- $webhooks := list -}}
{{- range (include "probate.rules" . | fromYaml).rules -}}
{{- $webhooks = concat $webhooks .webhooks -}}
{{- end -}}
{{- dict "webhooks" (concat $webhooks $parts.always.webhooks) | toYaml -}}
{{- end -}}

{{/* The controllers that run: {controllers: [part, ...]}. An agent is for works, and for policies if they are on. */}}
{{- define "probate.controllers" -}}
{{- $parts := .Files.Get "files/parts.yaml" | fromYaml -}}
{{- $hub := eq .Values.mode "hub" -}}
{{- $on := list -}}
{{- range $part := $parts.controllers -}}
{{- $gate := get $part "gate" -}}
{{- $chosen := index $.Values.controllers $part.name -}}
{{- if not $hub -}}
{{- $chosen = or (eq $part.name "work") (and $chosen (eq $part.name "policy")) -}}
{{- end -}}
{{- if and $chosen (or (not $gate) (index $.Values.featureGates $gate)) -}}
{{- $on = append $on $part -}}
{{- end -}}
{{- end -}}
{{- dict "controllers" $on | toYaml -}}
{{- end -}}

{{/* --rule-mode: every rule that is on and does not simply deny. */}}
{{- define "probate.ruleModes" -}}
{{- $modes := list -}}
{{- range $part := (include "probate.rules" . | fromYaml).rules -}}
{{- $mode := index $.Values.rules $part.name | toString -}}
{{- if ne $mode "deny" -}}
{{- $modes = append $modes (printf "%s=%s" $part.name $mode) -}}
{{- end -}}
{{- end -}}
{{- join "," $modes -}}
{{- end -}}

{{/* --rules: "*" when all are on, so that the log of Probate shows no list that nobody made. */}}
{{- define "probate.ruleNames" -}}
{{- $parts := .Files.Get "files/parts.yaml" | fromYaml -}}
{{- $on := (include "probate.rules" . | fromYaml).rules -}}
{{- if eq (len $on) (len $parts.rules) -}}
*
{{- else -}}
{{- $names := list -}}
{{- range $on }}{{ $names = append $names .name }}{{ end -}}
{{- join "," $names -}}
{{- end -}}
{{- end -}}

{{/*
--controllers: all but those that are off, and those that have to be named. Named like this, a controller whose gate is closed is still Probate's to see
to: it takes the finalizers off again that it put on live clusters.
*/}}
{{- define "probate.controllerNames" -}}
{{- $parts := .Files.Get "files/parts.yaml" | fromYaml -}}
{{- $names := list "*" -}}
{{- range $part := $parts.controllers -}}
{{- $on := index $.Values.controllers $part.name -}}
{{- if and $on $part.byName -}}
{{- $names = append $names $part.name -}}
{{- else if not (or $on $part.byName) -}}
{{- $names = append $names (printf "-%s" $part.name) -}}
{{- end -}}
{{- end -}}
{{- join "," $names -}}
{{- end -}}

{{- define "probate.featureGates" -}}
{{- $gates := list -}}
{{- range $name, $open := .Values.featureGates -}}
{{- $gates = append $gates (printf "%s=%t" $name $open) -}}
{{- end -}}
{{- join "," (sortAlpha $gates) -}}
{{- end -}}

{{/* The part of a controller, if it runs: {root, name}. */}}
{{- define "probate.part" -}}
{{- range (include "probate.controllers" .root | fromYaml).controllers -}}
{{- if eq .name $.name }}{{ toYaml . }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Does this controller run? "true" or "". */}}
{{- define "probate.runs" -}}
{{- if include "probate.part" . }}true{{ end -}}
{{- end -}}

{{/* Whose policies are carried out; "": controller policy does not run, or nobody said. */}}
{{- define "probate.policyNamespace" -}}
{{- if include "probate.runs" (dict "root" . "name" "policy") -}}
{{- .Values.policies.namespace | default .Values.works.clusterName -}}
{{- end -}}
{{- end -}}

{{/* The grace period: what a pod may take to end well, derived. */}}
{{- define "probate.gracePeriod" -}}
{{- $delay := int .Values.shutdownDelaySeconds -}}
{{- $longestReview := 25 -}}{{/* the timeout of the webhook on protected objects, the longest of all */}}
{{- $deadServer := 15 -}}{{/* after which Probate interrupts calls that nobody answers */}}
{{- $least := add $delay $longestReview $deadServer 5 -}}
{{- with .Values.terminationGracePeriodSeconds -}}
{{- if lt (int .) (add $delay $longestReview | int) -}}
{{- fail (printf "terminationGracePeriodSeconds: %d s are too few: shutdownDelaySeconds (%d) and the longest review (%d s) must fit" (int .) $delay $longestReview) -}}
{{- end -}}
{{- end -}}
{{- .Values.terminationGracePeriodSeconds | default $least -}}
{{- end -}}

{{/*
Rules of a role out of the table: {root, rules}. What stands there for a name is replaced by the name that it has in this
release.
*/}}
{{- define "probate.policyRules" -}}
{{- $name := include "probate.fullname" .root -}}
{{- $names := dict "configuration" $name "lease" $name "secret" (include "probate.caSecret" .root) -}}
{{- range $rule := .rules }}
{{- with $rule.resourceNames }}
{{- $rule = merge (dict "resourceNames" (list (index $names (first .)))) $rule }}
{{- end }}
- {{ toJson $rule }}
{{- end }}
{{- end -}}
