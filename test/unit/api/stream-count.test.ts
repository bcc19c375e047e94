/** Which event streams are refused because their caller has many. */
import { pino } from 'pino';
import { seldomWarning } from '../../../api/routes/event-stream';
import { createStreamCount } from '../../../api/routes/stream-count';

it('refuses the streams of a caller beyond the limit, until an earlier one has ended', async () => {
  const streams = createStreamCount(2);
  const forEver = (): Promise<void> => new Promise(() => undefined);
  let end = (): void => undefined;
  const first = streams.counted('admin', () => new Promise((resolve) => (end = resolve)));
  void streams.counted('admin', forEver);
  await expect(streams.counted('admin', forEver)).rejects.toThrow('this caller has 2 open event streams');
  void streams.counted('project', forEver);
  end();
  await first;
  await expect(streams.counted('admin', () => Promise.resolve())).resolves.toBeUndefined();
});

it('counts a stream that fails no longer', async () => {
  const streams = createStreamCount(1);
  await expect(streams.counted('admin', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(streams.counted('admin', () => Promise.resolve())).resolves.toBeUndefined();
});

it('warns once for the streams that fail together', () => {
  const lines: string[] = [];
  const warn = seldomWarning(pino({}, { write: (line: string) => lines.push(line) }));
  for (let stream = 0; stream < 200; stream += 1) warn(new Error('away'));
  expect(lines).toHaveLength(1);
});
