import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { PortTaken, startOnFreePorts } from '../../../cli/stack/one-start-at-a-time';
import { anyFreePort } from '../../../cli/stack/ports';

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

it('lets the next one start after one that failed', async () => {
  const port = await anyFreePort();
  const failing = startOnFreePorts([port], () => Promise.reject(new Error('no disk')));
  await expect(failing).rejects.toThrow('no disk');
  await expect(startOnFreePorts([port], () => Promise.resolve('started'))).resolves.toBe('started');
});
