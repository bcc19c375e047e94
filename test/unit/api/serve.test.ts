import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request, type RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { serve } from '../../../api/http/serve';
import { anyFreePort, isListening } from '../../../cli/stack/ports';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

/** So long that whoever does not close a connection by itself never ends. */
const noEnd = { keepAliveSeconds: 86_400, graceMs: 86_400_000 };

const startServing = async (listener: RequestListener, changes: { readonly keepAliveSeconds?: number } = {}) => {
  const stop = new AbortController();
  const port = await anyFreePort();
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    const options = { host: '127.0.0.1', port, stopping: stop.signal, ...noEnd, ...changes };
    ended = serve(listener, { ...options, onListening: resolve });
  });
  const ask = (path: string): ClientRequest => request({ host: '127.0.0.1', port, path, agent }).end();
  return { ask, port, stop: () => stop.abort(), ended: () => ended };
};

const answerTo = async (asked: ClientRequest) => {
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const pieces = await response.setEncoding('utf8').toArray();
  return { headers: response.headers, body: pieces.join(''), reused: asked.reusedSocket };
};

it('keeps a connection for as long as it is set to, and says so', async () => {
  const { ask, stop, ended } = await startServing((_req, res) => res.end('here'), { keepAliveSeconds: 75 });
  expect((await answerTo(ask('/'))).headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=75' });
  expect((await answerTo(ask('/'))).reused).toBe(true);
  stop();
  await ended();
});

it('answers what is under way when it is told to stop, as the last answer on its connection', async () => {
  const waiting: (() => void)[] = [];
  const { ask, stop, ended } = await startServing((req, res) => {
    if (req.url === '/at-once') res.end('at once');
    else waiting.push(() => res.end('done'));
  });
  await answerTo(ask('/at-once'));
  const slow = ask('/slow');
  await once(slow, 'socket');
  while (waiting.length === 0) await setImmediate();
  stop();
  waiting.shift()?.();
  expect(await answerTo(slow)).toMatchObject({ body: 'done', headers: { connection: 'close' }, reused: true });
  await ended();
});

it('answers a request that comes on a kept connection just after it is told to stop', async () => {
  const { ask, stop, ended } = await startServing((_req, res) => res.end('here'));
  await answerTo(ask('/'));
  stop();
  const last = await answerTo(ask('/'));
  expect(last).toMatchObject({ body: 'here', headers: { connection: 'close' }, reused: true });
  await ended();
});

it('ends soon after an answer that had begun before, though its connection was to be kept', async () => {
  let finish = (): void => undefined;
  const { ask, port, stop, ended } = await startServing((_req, res) => {
    res.write('begun ');
    finish = () => res.end('done');
  });
  const begun = ask('/');
  const answer = answerTo(begun);
  await once(begun, 'response');
  stop();
  while (await isListening(port)) await setImmediate();
  finish();
  expect(await answer).toMatchObject({ body: 'begun done', headers: { connection: 'keep-alive' } });
  await ended();
});
