/** Which event streams are refused because their caller has many. */
import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { pino } from 'pino';
import { seldomWarning } from '../../../api/routes/event-stream';
import { createStreamCount } from '../../../api/routes/stream-count';

const aResponse = () => new EventEmitter() as unknown as Response;

it('refuses the streams of a caller beyond the limit, until an earlier one is closed', () => {
  const streams = createStreamCount(2);
  const first = aResponse();
  streams.count('admin', first);
  streams.count('admin', aResponse());
  expect(() => streams.count('admin', aResponse())).toThrow('this caller has 2 open event streams');
  streams.count('project', aResponse());
  first.emit('close');
  expect(() => streams.count('admin', aResponse())).not.toThrow();
});

it('warns once for the streams that fail together', () => {
  const lines: string[] = [];
  const warn = seldomWarning(pino({}, { write: (line: string) => lines.push(line) }));
  for (let stream = 0; stream < 200; stream += 1) warn(new Error('away'));
  expect(lines).toHaveLength(1);
});
