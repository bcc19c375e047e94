import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { PortTaken, startOnFreePorts } from '../../../cli/stack/one-start-at-a-time';
import { anyFreePort } from '../../../cli/stack/ports';
import { startApiAlone } from '../../../cli/stack/service-programs';
import { loadSettings } from '../../../config/settings';

const listening: Server[] = [];
afterEach(() => {
  for (const server of listening.splice(0)) server.close();
});

const listenOn = async (port: number): Promise<void> => {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  listening.push(server);
  await once(server, 'listening');
};

it('lets only one of two that start together have the port that both have found free', async () => {
  const port = await anyFreePort();
  const starts = [1, 2].map(() => startOnFreePorts([port], () => listenOn(port)));
  const outcomes = await Promise.allSettled(starts);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = outcomes.find((each) => each.status === 'rejected');
  expect(refused?.reason).toBeInstanceOf(PortTaken);
  expect(String(refused?.reason)).toContain(`port ${port}`);
});

it('lets only one of two stacks have the port of the API, so that none takes the other for its own', async () => {
  const port = await anyFreePort();
  const settings = loadSettings({ DATABASE_URL: 'postgresql://127.0.0.1/parley', PARLEY_PORT: String(port) });
  const starts = [1, 2].map(() => startApiAlone(settings, () => listenOn(port)));
  const outcomes = await Promise.allSettled(starts);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  expect(reasons).toEqual([expect.stringContaining(`port ${port} of the API is taken`)]);
});

it('lets the next one start after one that failed', async () => {
  const port = await anyFreePort();
  const failing = startOnFreePorts([port], () => Promise.reject(new Error('no disk')));
  await expect(failing).rejects.toThrow('no disk');
  await expect(startOnFreePorts([port], () => Promise.resolve('started'))).resolves.toBe('started');
});
