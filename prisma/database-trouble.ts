/**
 * The one table of what can be wrong with the database: errors after which nothing was done, and after which the same
 * statement may succeed when somebody has helped. Requests get 503, `/readyz` and the log have the words, and a process
 * that starts ends with them.
 */
import { Prisma } from '@prisma/client';

const unreachable = 'does not answer: start it, or correct DATABASE_URL';
const noSuchName = 'cannot be found by its name: correct DATABASE_URL';
const refused = 'refuses the user or the password of DATABASE_URL';
const noDatabase = 'does not have the database of DATABASE_URL: create it, or correct DATABASE_URL';
const cut = 'has ended the connection: repeat it, and look into the log of PostgreSQL';
const busy = 'had no connection free in time: raise its max_connections, or stop programs that use it';
const locked = 'gave no lock in time: end long transactions, which pg_stat_activity lists';
const untrusted =
  'could not agree on TLS: look at sslmode, sslrootcert and sslcert of DATABASE_URL, and at the certificate of PostgreSQL';

/** By SQLSTATE: the whole code counts before its class, the first two characters. */
const ofSqlStates: Readonly<Record<string, string>> = {
  '08': cut,
  '25006': 'only reads, as a standby does, or a server after a failover: let DATABASE_URL name the one that writes',
  '28': refused,
  '3D': noDatabase,
  '40001': locked,
  '40P01': locked,
  '53': 'lacks memory or connections: look into the log of PostgreSQL',
  '53100': 'has no space left on its disk: make room',
  '53300': busy,
  '55000': 'does not accept connections to its database: look at ALLOW_CONNECTIONS and the log of PostgreSQL',
  '55P03': locked,
  '57': 'was stopped, or has ended the statement: look into the log of PostgreSQL',
  '57P03': 'is starting or stopping: try again when it accepts connections',
  '58': 'fails on its own files: look into its log and at its disk',
  XX: 'has a fault of its own: look into its log',
};

/** By codes of Node.js, for the connection. */
const ofSystemCodes: Readonly<Record<string, string>> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: cut,
  EPIPE: cut,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ENOENT: unreachable, // the socket of a server on this machine
  ENOTFOUND: noSuchName,
  EAI_AGAIN: noSuchName,
  EPROTO: untrusted,
};

/** By Prisma's codes and the kinds of its adapter. */
const ofPrisma: Readonly<Record<string, string>> = {
  P1000: refused,
  P1001: unreachable,
  P1002: unreachable,
  P1003: noDatabase,
  P1008: unreachable,
  P1010: refused,
  P1011: untrusted,
  P1017: cut,
  P2024: busy,
  P2028: busy,
  P2034: locked,
  DatabaseNotReachable: unreachable,
  ConnectionClosed: cut,
  SocketTimeout: unreachable,
  TlsConnectionError: untrusted,
};

const ofTls = /^(ERR_(TLS|SSL|OSSL)|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

/** pg tells these by their messages alone. */
const ofTexts: readonly (readonly [RegExp, string])[] = [
  [/^(timeout exceeded when trying to connect|timeout expired)$/, unreachable],
  [/^(Connection terminated.*|Client .* is not queryable)$/, cut],
  [/^SASL: /, refused],
  [/^The server does not support SSL connections$/, untrusted],
];

/** Says what is wrong with the database; the words follow its name. Undefined: the error is of another kind. */
export const troubleOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const isKnown = error instanceof Prisma.PrismaClientKnownRequestError;
  const { kind, originalCode } = fieldsOf(causeOf(isKnown ? error.meta?.['driverAdapterError'] : error));
  const names = [originalCode, kind, fieldsOf(error).code].map(textOf);
  return firstOf(names.map(ofName)) ?? (isKnown ? undefined : ofText(error.message));
};

const ofName = (name: string): string | undefined =>
  ofPrisma[name] ??
  ofSystemCodes[name] ??
  (ofTls.test(name) ? untrusted : undefined) ??
  (name.length === 5 ? (ofSqlStates[name] ?? ofSqlStates[name.slice(0, 2)]) : undefined);

const ofText = (text: string): string | undefined => ofTexts.find(([pattern]) => pattern.test(text))?.[1];

const firstOf = (texts: readonly (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined);

interface ErrorFields {
  readonly cause?: unknown;
  readonly kind?: unknown;
  readonly originalCode?: unknown;
  readonly code?: unknown;
}

/** The adapter's own error. */
const causeOf = (error: unknown): unknown => fieldsOf(error).cause;

const fieldsOf = (value: unknown): ErrorFields => (typeof value === 'object' && value !== null ? value : {});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** True where the database was away or could not carry the statement out. Nothing was done. */
export const isDatabaseAway = (error: unknown): boolean => troubleOf(error) !== undefined;
