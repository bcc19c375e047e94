import { Writable } from 'node:stream';
import { pino } from 'pino';
import { loggerOptions } from '../../../config/logger';

const logged = (log: (logger: pino.Logger) => void, logLevel: 'info' | 'warn' = 'info'): unknown[] => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  log(pino(loggerOptions({ logLevel }, 'api'), sink));
  return lines.map((line) => JSON.parse(line) as unknown);
};

describe('the logger', () => {
  it('writes one JSON object a line, with its name and the IDs given', () => {
    const lines = logged((logger) => logger.child({ sessionId: 's' }).info({ host: 'h' }, 'maintained'));
    expect(lines).toEqual([expect.objectContaining({ name: 'api', sessionId: 's', host: 'h', msg: 'maintained' })]);
  });

  it('leaves out what is below its level', () => {
    expect(logged((logger) => logger.info('hidden'), 'warn')).toEqual([]);
  });

  it.each([
    { what: 'a token', given: { token: 'hush' } },
    { what: 'a token one level down', given: { caller: { token: 'hush' } } },
    { what: 'the database address', given: { settings: { databaseUrl: 'hush' } } },
    { what: 'the header Authorization', given: { req: { headers: { authorization: 'Bearer hush' } } } },
    { what: 'the header X-Auth-Token', given: { req: { headers: { 'x-auth-token': 'hush' } } } },
  ])('keeps $what to itself', ({ given }) => {
    expect(JSON.stringify(logged((logger) => logger.info(given, 'request')))).not.toContain('hush');
  });
});
