/** The settings by which people and programs watch the service; rows of the table in settings-table.ts. */
import { optional, withDefault } from './define-setting';
import * as parse from './setting-parsers';

const port = parse.integer({ min: 1, max: 65_535 });

export const monitoringSettings = {
  auditDays: withDefault('PARLEY_AUDIT_DAYS', '365', {
    meaning: 'Days for which the audit keeps who asked for which change, and webhooks keep events that were given up.',
    parse: parse.integer({ min: 1, max: 36_500 }),
  }),
  otlpEndpoint: optional('PARLEY_OTLP_ENDPOINT', 'none: nothing is traced', {
    meaning:
      'Address of an OpenTelemetry collector that takes traces by OTLP over HTTP, such as `http://127.0.0.1:4318`.',
    parse: parse.httpUrl,
  }),
  cloudName: optional('PARLEY_CLOUD_NAME', 'none: the page names its kind', {
    meaning: 'Name of the cloud for people, such as `Region One`, which the page shows at its top.',
    parse: parse.anyText,
  }),
  temporalUiUrl: optional('PARLEY_TEMPORAL_UI_URL', "none, and no links; `parley up` names its own server's", {
    meaning: "Address of Temporal's Web UI as admins reach it, for links from a session to its workflow.",
    parse: parse.httpUrl,
  }),
  metricsHost: withDefault('PARLEY_METRICS_HOST', '127.0.0.1', {
    meaning:
      'Address of the ports for metrics. They ask for no token: beyond loopback, let only your scrapers reach them.',
    parse: parse.hostName,
  }),
  apiMetricsPort: optional('PARLEY_API_METRICS_PORT', 'none: only `GET /metrics` of the API, for admins', {
    meaning: 'Port on which the API serves `/metrics` without a token, for Prometheus.',
    parse: port,
  }),
  workerMetricsPort: optional('PARLEY_WORKER_METRICS_PORT', 'none: the worker measures nothing', {
    meaning: 'Port on which a worker serves `/metrics`; workers of one machine need one each.',
    parse: port,
  }),
} as const;
