/** Says why PostgreSQL does not let a program begin. */
import { StartFault } from '../startup/start-fault';

const unreachable = 'does not answer: start it, or correct DATABASE_URL';
const noSuchName = 'cannot be found by its name: correct DATABASE_URL';
const refused = 'refuses the user or the password of DATABASE_URL';

/** The words for the codes of Node.js and of PostgreSQL (SQLSTATE). */
const problems: Readonly<Record<string, string>> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ENOENT: unreachable, // the socket of a server on this machine
  ENOTFOUND: noSuchName,
  EAI_AGAIN: noSuchName,
  '28000': refused,
  '28P01': refused,
  '42501':
    'does not have the database of DATABASE_URL, and its user may not create one: create it, and let the user own it',
  '53300': 'has no connection left: raise its max_connections, or stop programs that use it',
  '57P03': 'is starting or stopping: try again when it accepts connections',
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** pg tells its own time limit, and the end of a connection that it is just opening, by messages without a code. */
const isSilence = (error: unknown): boolean =>
  error instanceof Error && /timeout expired|Connection terminated/.test(error.message);

/** The server without the password: the message goes to a log. */
const serverOf = (databaseUrl: string): string => {
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}${pathname}`;
};

/** @returns the fault in words, or the error itself where it has another cause */
export const databaseFault = (error: unknown, databaseUrl: string): unknown => {
  const problem = isSilence(error) ? unreachable : problems[codeOf(error) ?? ''];
  if (problem === undefined) return error;
  const told = error instanceof Error && error.message !== '' ? error.message : codeOf(error);
  return new StartFault(`${serverOf(databaseUrl)} ${problem} (${told ?? ''})`, { cause: error });
};
