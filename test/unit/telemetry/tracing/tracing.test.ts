import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { noTracing, openTracing } from '../../../../telemetry/tracing/tracing';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number; readonly message?: string };
}
interface Sent {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[];
}

const root = path.join(__dirname, '../../../..');
const sessionId = '1c6a1f0e-7f3c-4a64-9d0f-6f8f7a0c5a11';
const traceId = sessionId.replaceAll('-', '');
const spans: SentSpan[] = [];
let collector: Server;
let said: { readonly logged: object; readonly thrown: string; readonly outside: object };

beforeAll(async () => {
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      const { resourceSpans } = JSON.parse(body) as Sent;
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const script = path.join(__dirname, 'send-spans.ts');
  const args = ['--require', path.join(root, 'test/run/run-typescript.cjs'), script, endpoint, sessionId];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  said = JSON.parse(stdout) as typeof said;
});
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

const named = (name: string): SentSpan => spans.find((span) => span.name === name)!;

describe('traces', () => {
  it('have the spans of a session under its ID, with calls of the cloud within their activity', () => {
    expect(spans.map((span) => span.traceId)).toEqual([traceId, traceId, traceId]);
    expect(named('cloud').parentSpanId).toBe(named('activity').spanId);
    expect(named('request').parentSpanId ?? '').toBe('');
  });

  it('mark the span of a failure, without its text, and let it through', () => {
    expect(named('request').status).toMatchObject({ code: 2, message: 'TypeError' });
    expect(said.thrown).toContain('secret');
  });

  it('give the lines of the log the IDs of the span that is open', () => {
    expect(said.logged).toEqual({ trace_id: traceId, span_id: named('cloud').spanId });
    expect(said.outside).toEqual({});
  });

  it('cost nothing where no collector is set: the work is done alone', async () => {
    expect(await openTracing({}, 'parley-api')).toBe(noTracing);
    expect(await noTracing.inSpan({ name: 'x' }, () => Promise.resolve(7))).toBe(7);
    expect(noTracing.logFields()).toEqual({});
  });
});
