/** Says why PostgreSQL does not let a program begin. */
import { StartFault } from '../startup/start-fault';
import { troubleOf } from './database-trouble';

const mayNotCreate =
  'does not have the database of DATABASE_URL, and its user may not create one: create it, and let the user own it';

/** SQLSTATE for a missing right, of which only `CREATE DATABASE` is in question here. */
const isMissingRight = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '42501';

/** The server without the password: the message goes to a log. */
const serverOf = (databaseUrl: string): string => {
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}${pathname}`;
};

const toldBy = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
};

/** @returns the fault in words, or the error itself where it has another cause */
export const databaseFault = (error: unknown, databaseUrl: string): unknown => {
  const problem = isMissingRight(error) ? mayNotCreate : troubleOf(error);
  if (problem === undefined) return error;
  return new StartFault(`${serverOf(databaseUrl)} ${problem} (${toldBy(error)})`, { cause: error });
};
