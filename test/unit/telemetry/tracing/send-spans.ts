/**
 * Sends three spans to the collector that is named, as a process of its own: OpenTelemetry loads parts of itself in a
 * way that Jest does not have.
 */
import { openTracing } from '../../../../telemetry/tracing/tracing';

const main = async (): Promise<void> => {
  const [otlpEndpoint = '', sessionId = '', httpProxy] = process.argv.slice(2);
  const tracing = await openTracing({ otlpEndpoint, httpProxy }, 'parley-worker');
  const logged = await tracing.inSpan({ name: 'activity', sessionId }, () =>
    tracing.inSpan({ name: 'cloud' }, () => Promise.resolve(tracing.logFields())),
  );
  const refuse = () => Promise.reject(new TypeError('postgresql://me:secret@host'));
  const thrown = await tracing.inSpan({ name: 'request', sessionId }, refuse).catch((error: unknown) => String(error));
  await tracing.stop();
  process.stdout.write(JSON.stringify({ logged, thrown, outside: tracing.logFields() }));
};

void main();
