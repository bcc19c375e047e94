/** The metrics of the api process: its requests, and the gauges over the database. */
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import { createProcessRegistry, type ExportedMetrics, quickBuckets } from './process-registry';
import { type CountService, createServiceGauges } from './service-gauges';

export interface EndedRequest {
  readonly method: string;
  /** The path's template, such as `/v1/maintenance/{session_id}`; undefined when no endpoint has the path. */
  readonly route: string | undefined;
  /** `aborted`: the client went away before there was an answer. */
  readonly status: number | 'aborted';
  /** Undefined for a stream, which lasts as long as its client likes. */
  readonly seconds: number | undefined;
}

export interface ApiMetrics extends ExportedMetrics {
  requestEnded(request: EndedRequest): void;
}

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

export interface ApiMetricsParts {
  readonly count: CountService;
  /** The address of the page; left out: alerts do not name it. */
  readonly pageUrl?: string;
  /** Left out: the clock of this process. */
  readonly nowMs?: () => number;
}

const tellPage = (registry: Registry, url: string): void =>
  new Gauge({
    name: 'parley_page_info',
    help: 'Always 1; the address of the page, for the words of alerts.',
    labelNames: ['url'],
    registers: [registry],
  }).set({ url }, 1);

export const createApiMetrics = ({ count, pageUrl, nowMs }: ApiMetricsParts): ApiMetrics => {
  const registry = createProcessRegistry('api');
  const registers = [registry];
  if (pageUrl !== undefined) tellPage(registry, pageUrl);
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'HTTP requests that have ended, by method, route template and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'How long HTTP requests took, without event streams.',
    labelNames: ['method', 'route'],
    buckets: quickBuckets,
    registers,
  });
  const refreshGauges = createServiceGauges(registry, count, nowMs);
  return {
    contentType: registry.contentType,
    async text() {
      await refreshGauges();
      return registry.metrics();
    },
    requestEnded({ method: given, route = 'none', status, seconds }) {
      const method = knownMethods.has(given) ? given : 'other';
      requests.inc({ method, route, status: String(status) });
      if (seconds !== undefined) durations.observe({ method, route }, seconds);
    },
  };
};
