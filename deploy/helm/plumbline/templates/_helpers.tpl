{{- define "plumbline.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What selects the pods of the release, whatever they do. */}}
{{- define "plumbline.selector" -}}
app.kubernetes.io/name: plumbline
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "plumbline.labels" -}}
{{ include "plumbline.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "plumbline.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Secrets come by reference alone: three must be there, the others may. */}}
{{- define "plumbline.secrets" -}}
{{- $name := .Values.secret.name -}}
{{- range list "DATABASE_URL" "ENCRYPTION_KEY" "NEXTAUTH_SECRET" }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $name }}, key: {{ . }} } }
{{- end }}
{{- range .Values.secret.optional }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $name }}, key: {{ . }}, optional: true } }
{{- end }}
{{- end }}

{{- define "plumbline.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "plumbline.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Nothing here outlives a process: everything is in the database. */}}
{{- define "plumbline.mounts" -}}
- { name: data, mountPath: /data }
- { name: temporary, mountPath: /tmp }
- { name: page-cache, mountPath: /app/.next/cache }
{{- end }}

{{- define "plumbline.volumes" -}}
- name: data
  emptyDir: {}
- name: temporary
  emptyDir: {}
- name: page-cache
  emptyDir: {}
{{- end }}

{{/* Seconds to stop: the delay, a minute for what is in progress, and some room. */}}
{{- define "plumbline.graceSeconds" -}}
{{ add 75 (int (dig "STOP_DELAY_S" 5 .Values.settings)) }}
{{- end }}
