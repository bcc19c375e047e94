{{- define "parley.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "parley.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains (include "parley.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "parley.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* Cluster-wide objects carry the namespace too, so that two releases of one name do not meet. */ -}}
{{- define "parley.clusterName" -}}
{{- printf "%s:%s" .Release.Namespace (include "parley.fullname" .) -}}
{{- end -}}

{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ include "parley.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "parley.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{- define "parley.temporalAddress" -}}
{{- if .Values.temporal.address -}}
{{- .Values.temporal.address -}}
{{- else if .Values.trial.enabled -}}
{{ include "parley.fullname" . }}-temporal:7233
{{- else -}}
{{- fail "temporal.address is empty: give host:port of the frontend of Temporal, or set trial.enabled" -}}
{{- end -}}
{{- end -}}

{{- define "parley.databaseSecret" -}}
{{- if .Values.database.secretName -}}
{{- .Values.database.secretName -}}
{{- else if .Values.trial.enabled -}}
{{ include "parley.fullname" . }}-postgres
{{- else -}}
{{- fail "database.secretName is empty: name the Secret that holds DATABASE_URL, or set trial.enabled" -}}
{{- end -}}
{{- end -}}

{{- define "parley.jobNamespace" -}}
{{- default .Release.Namespace .Values.jobs.namespace -}}
{{- end -}}

{{- define "parley.podSecurity" -}}
{{ toYaml (default dict .Values.podSecurityContext) }}
{{- end -}}

{{- define "parley.containerSecurity" -}}
{{ toYaml (default dict .Values.containerSecurityContext) }}
{{- end -}}

{{- /* The pod of the API or of a worker, up to its containers' own part. */ -}}
{{- define "parley.podStart" -}}
# A Service named parley would put PARLEY_PORT=tcp://… into the environment, which holds the settings.
enableServiceLinks: false
serviceAccountName: {{ include "parley.fullname" .root }}-{{ .component }}
automountServiceAccountToken: {{ or (eq .root.Values.cloud "kubernetes") (and (eq .component "api") (eq .root.Values.auth "kubernetes")) (and (eq .component "worker") .root.Values.jobs.enabled) }}
terminationGracePeriodSeconds: 60
securityContext:
  {{- include "parley.podSecurity" .root | nindent 2 }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
# One node's maintenance takes as few of these pods as possible.
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "parley.selector" . | nindent 8 }}
{{- end -}}

{{- define "parley.podAnnotations" -}}
checksum/settings: {{ include (print .root.Template.BasePath "/settings.yaml") .root | sha256sum }}
# Files in /tmp can be lost: each worker downloads again what it needs.
cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes: tmp
{{- with .values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Settings of a container: a list for env, behind those of envFrom. */ -}}
{{- define "parley.env" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: { name: {{ include "parley.databaseSecret" . }}, key: {{ .Values.database.secretKey }} }
{{- range $setting, $at := .Values.secretSettings }}
- name: {{ $setting }}
  valueFrom:
    secretKeyRef: { name: {{ $at.name }}, key: {{ $at.key }} }
{{- end }}
{{- end -}}

{{- define "parley.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if eq .Values.auth "token" }}
- { name: tokens, mountPath: /run/secrets/parley, readOnly: true }
{{- end }}
{{- if .Values.certificates.secretName }}
- { name: certificates, mountPath: /certificates, readOnly: true }
{{- end }}
{{- end -}}

{{- define "parley.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: {{ .tmpSize }}{{ with .tmpMedium }}, medium: {{ . }}{{ end }} }
{{- with .root }}
{{- if eq .Values.auth "token" }}
- name: tokens
  secret:
    secretName: {{ required "tokens.secretName is empty: name the Secret with the tokens file, or choose another auth" .Values.tokens.secretName }}
    items: [{ key: {{ .Values.tokens.secretKey }}, path: tokens.json }]
{{- end }}
{{- if .Values.certificates.secretName }}
- name: certificates
  secret: { secretName: {{ .Values.certificates.secretName }} }
{{- end }}
{{- end }}
{{- end -}}
