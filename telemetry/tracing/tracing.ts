/**
 * Traces: what the processes do for a session, from requests over activities to calls of the cloud. All spans of a
 * session have the session's ID as their trace ID. So nothing has to be carried through workflows: their code and their
 * histories are the same with and without traces.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, Tracer } from '@opentelemetry/api';

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

export interface TracingSettings {
  /** The address of an OpenTelemetry collector, without /v1/traces; undefined: no traces. */
  readonly otlpEndpoint?: string | undefined;
}

/** The packages of OpenTelemetry are loaded only here. @param processName such as `parley-api` */
export const openTracing = async ({ otlpEndpoint }: TracingSettings, processName: string): Promise<Tracing> => {
  if (otlpEndpoint === undefined) return noTracing;
  const current = new AsyncLocalStorage<Span>();
  const spans = await openSpans(otlpEndpoint, processName);
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

const openSpans = async (otlpEndpoint: string, processName: string): Promise<Spans> => {
  const [api, { BatchSpanProcessor, RandomIdGenerator, TracerProvider }, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const nextTraceId = new AsyncLocalStorage<string | undefined>();
  const random = new RandomIdGenerator();
  const exporter = new OTLPTraceExporter({ url: `${otlpEndpoint}/v1/traces` });
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

const traceIdOf = (sessionId: string | undefined): string | undefined => sessionId?.replaceAll('-', '').toLowerCase();

/** The text of an error may hold an address with a password: the log has it, without that. */
const kindOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** Opens a span for each call of the cloud, within the span of the request or activity that makes it. */
export const traceCalls =
  (tracing: Tracing) =>
  <T>(operation: string, call: () => Promise<T>): Promise<T> =>
    tracing.inSpan({ name: `cloud ${operation}` }, call);
