/** Recognises errors which mean that the database could not be reached, so that nothing was done. */
import { Prisma } from '@prisma/client';

/** Codes for: not reachable, timed out, connection closed, no connection free, no transaction in time. */
const awayCodes: ReadonlySet<string> = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
const awayKinds: ReadonlySet<string> = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (awayCodes.has(error.code) || awayKinds.has(kindOf(error.meta)));

/** The fields of the adapter's own errors. */
const kindOf = (meta: Readonly<Record<string, unknown>> | undefined): string => {
  const { cause } = fieldsOf(meta?.['driverAdapterError']);
  const { kind } = fieldsOf(cause);
  return typeof kind === 'string' ? kind : '';
};

const fieldsOf = (value: unknown): { readonly cause?: unknown; readonly kind?: unknown } =>
  typeof value === 'object' && value !== null ? value : {};
