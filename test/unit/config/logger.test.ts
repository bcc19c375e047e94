import { PassThrough, Writable } from 'node:stream';
import { pino } from 'pino';
import { loggerOptions } from '../../../config/logger';
import { readableTo } from '../../../config/readable-lines';

const written = (log: (logger: pino.Logger) => void, logLevel: 'info' | 'warn' = 'info'): string[] => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  log(pino(loggerOptions({ logLevel }, 'api'), sink));
  return lines;
};

const logged = (log: (logger: pino.Logger) => void, logLevel: 'info' | 'warn' = 'info'): unknown[] =>
  written(log, logLevel).map((line) => JSON.parse(line) as unknown);

const caused = (cause: unknown): Error => new Error('the package could not be fetched', { cause });

describe('the logger', () => {
  it('writes one JSON object a line, with its name and the IDs given', () => {
    const lines = logged((logger) => logger.child({ sessionId: 's' }).info({ host: 'h' }, 'maintained'));
    expect(lines).toEqual([expect.objectContaining({ name: 'api', sessionId: 's', host: 'h', msg: 'maintained' })]);
  });

  it('names the machine once, apart from the host that a line is about', () => {
    const [line] = written((logger) => logger.info({ host: 'compute-4' }, 'maintained'));
    expect(line?.match(/"hostname"/g)).toHaveLength(1);
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
    { what: 'the password in an address', given: { failure: 'cannot reach postgresql://parley:hush@db/parley' } },
    { what: 'what a library hangs on its errors', given: { err: Object.assign(new Error('no'), { auth: 'hush' }) } },
    { what: 'the password in the message of a cause', given: { err: caused(new Error('GET https://me:hush@host/')) } },
  ])('keeps $what to itself', ({ given }) => {
    expect(JSON.stringify(logged((logger) => logger.info(given, 'request')))).not.toContain('hush');
  });
});

describe('errors in the log', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  it.each([
    { where: 'as err', given: { err: refused }, path: ['err'] },
    { where: "as error, which is Temporal's name for it", given: { error: refused }, path: ['error'] },
    { where: 'within an object', given: { kafka: { broker: { error: refused } } }, path: ['kafka', 'broker', 'error'] },
  ])('say type, message, code and stack when they are given $where', ({ given, path }) => {
    const [line] = logged((logger) => logger.warn(given, 'no answer'));
    const described = { type: 'Error', message: refused.message, code: 'ECONNREFUSED', stack: refused.stack };
    expect(line).toHaveProperty(path, described);
  });

  it('say what caused them', () => {
    const [line] = logged((logger) => logger.error({ err: caused(refused) }, 'failed'));
    expect(line).toMatchObject({
      err: { message: 'the package could not be fetched', cause: { code: 'ECONNREFUSED' } },
    });
  });

  it('say all that several attempts have met', () => {
    const both = new AggregateError([refused, new Error('timed out')], 'no address answered');
    const [line] = logged((logger) => logger.error({ err: both }, 'failed'));
    expect(line).toMatchObject({ err: { errors: [{ code: 'ECONNREFUSED' }, { message: 'timed out' }] } });
  });

  it('come to an end where one is its own cause', () => {
    const endless = new Error('round and round');
    endless.cause = endless;
    expect(logged((logger) => logger.error({ err: endless }, 'failed'))).toHaveLength(1);
  });
});

describe('the log at a terminal', () => {
  const shown = (log: (logger: pino.Logger) => void): string => {
    const terminal = new PassThrough();
    log(pino(loggerOptions({ logLevel: 'info' }, 'worker'), readableTo(terminal)));
    return String(terminal.read() ?? '');
  };

  it('is one readable line without colours: time, level, process, what happened, and the fields', () => {
    const line = shown((logger) => logger.info({ host: 'compute-4', reason: 'no capacity' }, 'host given back'));
    expect(line).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}worker host given back host=compute-4 reason="no capacity"\n$/,
    );
  });

  it('has the stack of an error below the line', () => {
    const error = new Error('refused');
    const [line, ...stack] = shown((logger) => logger.error({ err: error }, 'failed'))
      .trimEnd()
      .split('\n');
    expect(line).toMatch(/ERROR worker failed err="?refused"?$/);
    expect(stack.map((one) => one.slice(4)).join('\n')).toBe(error.stack);
  });
});
