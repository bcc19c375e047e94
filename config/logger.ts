/** Structured logs: JSON lines on standard output, and readable lines on a terminal. */
import { type Logger, type LoggerOptions, pino } from 'pino';
import { fieldsWithErrors, withErrors } from './log-errors';
import { readableTo } from './readable-lines';
import type { Settings } from './settings';

export type { Logger };

/** Properties that may hold a secret. The log shows the property, but not its value. */
const secretPaths = [
  ...['password', 'token', 'authorization', 'databaseUrl', 'connectionString'].flatMap((key) => [key, `*.${key}`]),
  'req.headers.authorization',
  'req.headers["x-auth-token"]',
  'headers.authorization',
  'headers["x-auth-token"]',
];

/** User and password in the address of a database, broker or package, anywhere in a text. */
const withoutCredentials = (line: string): string => line.replaceAll(/:\/\/[^\s/"@\\]+@/g, '://[secret]@');

type Fields = () => Readonly<Record<string, string>>;

export const loggerOptions = (
  { logLevel }: Pick<Settings, 'logLevel'>,
  name: string,
  fields: Fields = () => ({}),
): LoggerOptions => ({
  name,
  level: logLevel,
  redact: { paths: secretPaths, censor: '[secret]' },
  mixin: () => ({ ...fields() }),
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { log: fieldsWithErrors },
  serializers: { err: (error: unknown) => withErrors(error) },
  hooks: { streamWrite: withoutCredentials },
});

/**
 * @param name of the process or part that logs, such as `api`
 * @param fields for every line, such as the IDs of a trace
 */
export const createLogger = (settings: Pick<Settings, 'logLevel'>, name: string, fields?: Fields): Logger => {
  const options = loggerOptions(settings, name, fields);
  return process.stdout.isTTY ? pino(options, readableTo(process.stdout)) : pino(options);
};
