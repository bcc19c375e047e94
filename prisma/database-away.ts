/**
 * Recognises errors which mean that the database could not be reached, or had no connection or lock to give in time, so
 * that nothing was done.
 */
import { Prisma } from '@prisma/client';

/** Codes for: not reachable, timed out, connection closed, no connection free, no transaction in time. */
const awayCodes: ReadonlySet<string> = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
const awayKinds: ReadonlySet<string> = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);
/**
 * Codes of PostgreSQL for: a lock was not had in time, deadlock, too many connections, the server is stopping or
 * starting, or was told to end the connection.
 */
const awaySqlStates: ReadonlySet<string> = new Set(['55P03', '40P01', '53300', '57P01', '57P02', '57P03']);
/**
 * pg tells by these messages alone that no connection became free in time, that none could be opened in time, or that
 * one has ended while it was used.
 */
const awayMessages =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated.*|Client .* is not queryable)$/;

export const isDatabaseAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (awayMessages.test(error.message)) return true;
  const isKnown = error instanceof Prisma.PrismaClientKnownRequestError;
  if (isKnown && awayCodes.has(error.code)) return true;
  const { kind, originalCode } = isKnown ? causeOf(error.meta?.['driverAdapterError']) : causeOf(error);
  return awayKinds.has(textOf(kind)) || awaySqlStates.has(textOf(originalCode));
};

interface ErrorFields {
  readonly cause?: unknown;
  readonly kind?: unknown;
  readonly originalCode?: unknown;
}

/** The fields of the adapter's own error. */
const causeOf = (error: unknown): ErrorFields => fieldsOf(fieldsOf(error).cause);

const fieldsOf = (value: unknown): ErrorFields => (typeof value === 'object' && value !== null ? value : {});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
