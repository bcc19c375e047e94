/** Opens a span for each call of the cloud, within the span of the request or activity that makes it. */
import type { Tracing } from './tracing';

export const traceCalls =
  (tracing: Tracing) =>
  <T>(operation: string, call: () => Promise<T>): Promise<T> =>
    tracing.inSpan({ name: `cloud ${operation}` }, call);
