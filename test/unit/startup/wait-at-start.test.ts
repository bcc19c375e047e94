import { StartFault } from '../../../startup/start-fault';
import { StoppedAtStart, waitAtStart } from '../../../startup/wait-at-start';

const never = () => new Promise<never>(() => undefined);

const aStart = () => {
  const controller = new AbortController();
  const told: string[] = [];
  const start = { stopping: controller.signal, tell: (line: string) => void told.push(line) };
  return { start, told, stop: () => controller.abort() };
};

it('returns what it has waited for, and says nothing of a short wait', async () => {
  const { start, told } = aStart();
  const work = () => Promise.resolve('there');
  await expect(waitAtStart(start, { what: 'Temporal', limitSeconds: 5 }, work)).resolves.toBe('there');
  expect(told).toEqual([]);
});

it('says for what it waits, and gives up in words', async () => {
  const { start, told } = aStart();
  const awaited = { what: 'Temporal', limitSeconds: 0.2, tellEverySeconds: 0.05 };
  const waiting = waitAtStart(start, awaited, never);
  await expect(waiting).rejects.toEqual(new StartFault('waited 0.2 s for Temporal, and gives up'));
  expect(told).toContain('waiting for Temporal, for 0 s now');
});

it('ends when the program is told to stop, during a wait and before the next', async () => {
  const { start, stop } = aStart();
  const waiting = waitAtStart(start, { what: 'the database', limitSeconds: 60 }, never);
  stop();
  await expect(waiting).rejects.toEqual(new StoppedAtStart('stopped while waiting for the database'));
  const next = waitAtStart(start, { what: 'Temporal', limitSeconds: 60 }, never);
  await expect(next).rejects.toThrow('stopped before waiting for Temporal');
});
