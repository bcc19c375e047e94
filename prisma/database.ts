/**
 * The door to PostgreSQL: one client for a process, transactions, and the few locks that the facts need.
 * Functions that read or write a table live beside this file, one file a subject, the client or transaction first.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '@prisma/client';

export type Database = PrismaClient;
export type Transaction = Prisma.TransactionClient;
/** Whatever a query may run on. */
export type Queryable = Database | Transaction;

export interface DatabaseOptions {
  readonly url: string;
  /** Connections of this process at most. */
  readonly poolSize?: number;
}

/**
 * Milliseconds. Waits for a connection or a lock are bounded, and a transaction whose process stands still ends with
 * its locks: a stuck process cannot hold up the others for ever.
 */
const limits = { connectionMs: 15_000, transactionMs: 30_000 } as const;

/**
 * The driver writes times without their zone and reads them past it, so the zone of every connection is UTC, whatever
 * the server, the database or the role has.
 */
const inUtc = (url: string): string => {
  const withZone = new URL(url);
  const options = [withZone.searchParams.get('options') ?? '', '-c TimeZone=UTC'].join(' ').trim();
  withZone.searchParams.set('options', options);
  return withZone.href;
};

export const openDatabase = ({ url, poolSize = 10 }: DatabaseOptions): Database =>
  new PrismaClient({
    adapter: new PrismaPg({
      connectionString: inUtc(url),
      max: poolSize,
      lock_timeout: limits.transactionMs,
      idle_in_transaction_session_timeout: limits.transactionMs,
    }),
  });

export const inTransaction = async <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  const tells: (() => void)[] = [];
  const result = await db.$transaction(
    (tx) => {
      tellsOf.set(tx, tells);
      return work(tx);
    },
    { maxWait: limits.connectionMs, timeout: limits.transactionMs },
  );
  for (const tell of tells) tell();
  return result;
};

/** What is to be told of the facts of a transaction, once they are facts. */
const tellsOf = new WeakMap<Queryable, (() => void)[]>();

/** Calls `tell` when the transaction is committed, and never where it is not; outside of one at once. */
export const afterCommit = (tx: Queryable, tell: () => void): void => {
  const tells = tellsOf.get(tx);
  if (tells === undefined) tell();
  else tells.push(tell);
};

/** The service's transaction-level advisory locks; released when the transaction ends. */
const advisoryLocks = {
  /** Admission of claims and hosts, one at a time over the whole service (docs/design/facts.md). */
  admission: 7_001,
  /** Counting unfinished sessions while one is created. */
  sessionLimit: 7_002,
  /** Giving events their places in the stream. */
  eventPosition: 7_003,
  /** Schema migrations at start-up. */
  migration: 7_004,
} as const;

export const takeLock = async (tx: Transaction, lock: keyof typeof advisoryLocks): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${advisoryLocks[lock]}::bigint)`;
};

/** Waits for whoever has taken the lock, and lets nobody take it; others may share it. */
export const shareLock = async (tx: Transaction, lock: keyof typeof advisoryLocks): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${advisoryLocks[lock]}::bigint)`;
};

/** The database's clock now (not the transaction's start): the only clock that decisions use. */
export const databaseNow = async (db: Queryable): Promise<Date> => {
  const rows = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('the database did not tell its time');
  return now;
};

/** Locks the session's row until the transaction ends: one decision at a time; false where there is none. */
export const lockSession = async (tx: Transaction, sessionId: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM session WHERE id = ${sessionId}::uuid FOR NO KEY UPDATE`;
  return rows.length > 0;
};

/**
 * The same, for what forbids that actions begin. A beginning goes on beside decisions, but shares the row
 * (`recordActionStart`): those that came before are waited for, those that follow see what this transaction has
 * written.
 */
export const lockSessionAndBeginnings = async (tx: Transaction, sessionId: string): Promise<void> => {
  await tx.$queryRaw`SELECT 1 FROM session WHERE id = ${sessionId}::uuid FOR UPDATE`;
};

/** For a beginning: the row before what follows it in the order of locks (docs/design/facts.md). */
export const shareSession = async (tx: Transaction, sessionId: string): Promise<void> => {
  await tx.$queryRaw`SELECT 1 FROM session WHERE id = ${sessionId}::uuid FOR KEY SHARE`;
};
