/** Structured logs: JSON lines on standard output, readable lines on a terminal. */
import { pino, type Logger, type LoggerOptions } from 'pino';
import type { Settings } from './settings';

export type { Logger };

/** Where a secret may sit in what is logged; its place is kept, its value is not. */
const secretPaths = [
  ...['password', 'token', 'authorization', 'databaseUrl', 'connectionString'].flatMap((key) => [key, `*.${key}`]),
  'req.headers.authorization',
  'req.headers["x-auth-token"]',
  'headers.authorization',
  'headers["x-auth-token"]',
];

/** pino-pretty is a development tool; a deployed service has neither it nor a terminal. */
const isPrettyAvailable = (): boolean => {
  try {
    require.resolve('pino-pretty');
    return true;
  } catch {
    return false;
  }
};

const prettyOnTerminal = (): Pick<LoggerOptions, 'transport'> =>
  process.stdout.isTTY && isPrettyAvailable()
    ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
    : {};

export const loggerOptions = ({ logLevel }: Pick<Settings, 'logLevel'>, name: string): LoggerOptions => ({
  name,
  level: logLevel,
  redact: { paths: secretPaths, censor: '[secret]' },
  timestamp: pino.stdTimeFunctions.isoTime,
});

/** @param name of the process or part that logs, such as `api` */
export const createLogger = (settings: Pick<Settings, 'logLevel'>, name: string): Logger =>
  pino({ ...loggerOptions(settings, name), ...prettyOnTerminal() });
