/**
 * Traces: what the processes do for a session, from requests over activities to calls of the cloud. All spans of a
 * session have the session's ID as their trace ID. So nothing has to be carried through workflows: their code and their
 * histories are the same with and without traces.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, Tracer } from '@opentelemetry/api';
import type { ProxySettings } from '../../outgoing/proxies';
import { StartFault } from '../../startup/start-fault';

export interface SpanText {
  /** Holds no ID: spans of the same kind have the same name. */
  readonly name: string;
  /** Left out: the span around it has the session, or there is none. */
  readonly sessionId?: string | undefined;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface Tracing {
  /** Does the work in a span. Returns and throws what the work does. */
  inSpan<T>(text: SpanText, work: () => Promise<T>): Promise<T>;
  /** Fields for a line of the log: `trace_id` and `span_id` within a span. */
  readonly logFields: () => Readonly<Record<string, string>>;
  /** Sends what is left, and ends. */
  stop(): Promise<void>;
}

/** While no exporter is set. */
export const noTracing: Tracing = {
  inSpan: (_text, work) => work(),
  logFields: () => ({}),
  stop: () => Promise.resolve(),
};

export interface TracingSettings extends ProxySettings {
  /** The address of an OpenTelemetry collector, without /v1/traces; undefined: no traces. */
  readonly otlpEndpoint?: string | undefined;
}

/** The packages of OpenTelemetry are loaded only here. @param processName such as `parley-api` */
export const openTracing = async (settings: TracingSettings, processName: string): Promise<Tracing> => {
  const { otlpEndpoint } = settings;
  if (otlpEndpoint === undefined) return noTracing;
  const current = new AsyncLocalStorage<Span>();
  const spans = await openSpans({ ...settings, otlpEndpoint }, processName);
  return {
    async inSpan(text, work) {
      const span = spans.start(text, current.getStore());
      try {
        return await current.run(span, work);
      } catch (error) {
        spans.fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    logFields() {
      const context = current.getStore()?.spanContext();
      return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
    },
    stop: () => spans.stop(),
  };
};

interface Spans {
  /** @param around undefined: it is the first of its trace, whose ID is that of the session */
  start(text: SpanText, around: Span | undefined): Span;
  fail(span: Span, error: unknown): void;
  stop(): Promise<void>;
}

type SpanSettings = ProxySettings & { readonly otlpEndpoint: string };

const openSpans = async (settings: SpanSettings, processName: string): Promise<Spans> => {
  const [api, { BatchSpanProcessor, RandomIdGenerator, TracerProvider }, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const nextTraceId = new AsyncLocalStorage<string | undefined>();
  const random = new RandomIdGenerator();
  const exporter = new OTLPTraceExporter({
    url: `${settings.otlpEndpoint}/v1/traces`,
    ...byProxies(settings),
  });
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': processName }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
    idGenerator: {
      generateSpanId: () => random.generateSpanId(),
      generateTraceId: () => nextTraceId.getStore() ?? random.generateTraceId(),
    },
  });
  const tracer: Tracer = provider.getTracer('parley');
  return {
    start({ name, sessionId, attributes = {} }, around) {
      const own = { ...attributes, ...(sessionId !== undefined && { 'parley.session_id': sessionId }) };
      const context = around === undefined ? api.ROOT_CONTEXT : api.trace.setSpan(api.ROOT_CONTEXT, around);
      return nextTraceId.run(traceIdOf(sessionId), () => tracer.startSpan(name, { attributes: own }, context));
    },
    fail(span, error) {
      // The package has its types twice, for import and for require.
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
      span.setStatus({ code: api.SpanStatusCode.ERROR, message: kindOf(error) });
    },
    stop: () => provider.shutdown(),
  };
};

/** The exporter sends by the HTTP of Node.js, whose agents follow proxies themselves. */
const byProxies = ({ httpProxy, httpsProxy = httpProxy, noProxy = '' }: ProxySettings) => {
  if (httpsProxy === undefined) return {};
  assertFollowsProxies();
  const proxyEnv = { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy };
  return { httpAgentOptions: { keepAlive: true, proxyEnv } };
};

/** True where this Node.js can send requests by proxies of the environment by itself, which the exporter relies on. */
export const followsProxies = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= 25 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
};

const assertFollowsProxies = (): void => {
  if (followsProxies(process.versions.node)) return;
  throw new StartFault(
    `Node.js ${process.versions.node} sends traces by no proxy, and HTTP_PROXY or HTTPS_PROXY is set: run 22.21 or ` +
      'later, 24.5 or later, or leave PARLEY_OTLP_ENDPOINT out',
  );
};

const traceIdOf = (sessionId: string | undefined): string | undefined => sessionId?.replaceAll('-', '').toLowerCase();

/** The text of an error may hold an address with a password: the log has it, without that. */
const kindOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** Opens a span for each call of the cloud, within the span of the request or activity that makes it. */
export const traceCalls =
  (tracing: Tracing) =>
  <T>(operation: string, call: () => Promise<T>): Promise<T> =>
    tracing.inSpan({ name: `cloud ${operation}` }, call);
