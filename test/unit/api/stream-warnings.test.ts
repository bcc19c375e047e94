import { pino } from 'pino';
import { seldomWarning } from '../../../api/routes/event-stream';

it('warns once for the streams that fail together', () => {
  const lines: string[] = [];
  const warn = seldomWarning(pino({}, { write: (line: string) => lines.push(line) }));
  for (let stream = 0; stream < 200; stream += 1) warn(new Error('away'));
  expect(lines).toHaveLength(1);
});
