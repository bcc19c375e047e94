/**
 * The door to PostgreSQL: one client for each process, transactions, and the few locks that the facts need. Functions
 * that read or write a table are in the folders beside this file, one file for each subject, with the client or
 * transaction as their first argument.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '@prisma/client';
import { joined } from '../calls/joined';
import { createPlaces, type Places } from '../calls/places';
import { createTurns, type InTurn } from '../calls/turns';
import { clientThatGivesUp } from './client-that-gives-up';
import { watchForPooler } from './pooled-client';
import { createStatementNames } from './statement-names';

export type Database = PrismaClient;
export type Transaction = Prisma.TransactionClient;
/** Anything that can run a query. */
export type Queryable = Database | Transaction;

export interface DatabaseOptions {
  readonly url: string;
  /** The maximum number of connections of this process. */
  readonly poolSize?: number;
  /** Left out: those of the service. */
  readonly limits?: DatabaseLimits;
}

/**
 * Limits in milliseconds. Waits for a connection or a lock are limited, and a transaction whose process stands still
 * ends with its locks: a stuck process cannot hold up the others for ever. Neither can a server that has fallen silent,
 * nor a lock that a statement outside a transaction waits for: a connection ends that has no answer for twice the time
 * of a transaction.
 */
export interface DatabaseLimits {
  readonly connectionMs: number;
  readonly transactionMs: number;
  /** The time that a query outside a transaction waits for a connection. Left out: as long as its caller likes. */
  readonly poolMs?: number;
}

const usualLimits: DatabaseLimits = { connectionMs: 15_000, transactionMs: 30_000 };

export const openDatabase = ({ url, poolSize = 10, limits = usualLimits }: DatabaseOptions): Database => {
  const { connectionMs, transactionMs, poolMs } = limits;
  const { verify, mayNameStatements } = watchForPooler();
  const nameOf = createStatementNames();
  const db = new PrismaClient({
    // Else each query notes its call site for the message of an error: a twentieth of a process that mostly queries.
    errorFormat: 'minimal',
    transactionOptions: { maxWait: connectionMs, timeout: transactionMs },
    adapter: new PrismaPg(
      {
        connectionString: url,
        max: poolSize,
        ...(poolMs !== undefined && { connectionTimeoutMillis: poolMs }),
        verify,
        Client: clientThatGivesUp({ connectMs: connectionMs, transactionMs, answerMs: 2 * transactionMs }),
      },
      { statementNameGenerator: ({ sql }) => (mayNameStatements() ? nameOf(sql) : '') },
    ),
  });
  sharedIn.set(db, {
    places: createPlaces(Math.max(1, Math.floor(poolSize * shareOfTransactions))),
    inTurn: createTurns(),
    clock: joined(() => readClock(db)),
  });
  return db;
};

const shareOfTransactions = 0.8;

/** State that all callers of one client share. */
interface Shared {
  /**
   * Transactions beyond these places wait in memory, without a limit: none fails for want of a connection. Other
   * statements have connections left, and hold one for a moment only.
   */
  readonly places: Places;
  /** The turns of transactions about the same session. */
  readonly inTurn: InTurn;
  /** The clock outside transactions: one look at it serves all who ask at the same time. */
  readonly clock: () => Promise<Date>;
}

const sharedIn = new WeakMap<Queryable, Shared>();
export const placesOfTransactions = (db: Database): Places | undefined => sharedIn.get(db)?.places;

export const inTransaction = async <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  const tells: (() => void)[] = [];
  const transaction = () =>
    db.$transaction((tx) => {
      tellsOf.set(tx, tells);
      databases.set(tx, db);
      return work(tx);
    });
  const places = placesOfTransactions(db);
  const result = await (places === undefined ? transaction() : places.take(transaction));
  for (const tell of tells) tell();
  return result;
};

/**
 * The transactions of one session wait for its row. In one process they take turns before they begin, so that they
 * occupy one connection while they wait, and not all of them.
 */
export const inTurnOfSession = <T>(
  db: Database,
  sessionId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  const transaction = () => inTransaction(db, work);
  return sharedIn.get(db)?.inTurn(sessionId, transaction) ?? transaction();
};

const databases = new WeakMap<Transaction, Database>();
/** The client of the transaction. Undefined where it was not begun by `inTransaction`. */
export const databaseOf = (tx: Transaction): Database | undefined => databases.get(tx);

/** The log lines of a transaction, which are written when it is committed. */
const tellsOf = new WeakMap<Queryable, (() => void)[]>();

/**
 * Calls `tell` when the transaction is committed, and never when it is not. Outside a transaction, calls it at once.
 */
export const afterCommit = (tx: Queryable, tell: () => void): void => {
  const tells = tellsOf.get(tx);
  if (tells === undefined) tell();
  else tells.push(tell);
};

/** The service's transaction-level advisory locks; released when the transaction ends. */
const advisoryLocks = {
  /**
   * Committing an admission of claims and hosts. Writers of constraints share it, so it is taken last and held only for
   * a moment (docs/design/facts.md).
   */
  admission: 7_001,
  /** Writing constraints. Writers share it; a decision that changes have overtaken again and again takes it. */
  constraints: 7_006,
  /** Counting unfinished sessions while one is created. */
  sessionLimit: 7_002,
  /** Storing freezes, which are written into the rows of all sessions. A session that is created shares it. */
  freezes: 7_007,
  /** Giving events their positions in the stream. */
  eventPosition: 7_003,
  /** Schema migrations at start-up. */
  migration: 7_004,
  /** Deciding for a session, one at a time over the whole service. Only decisions take it. */
  decision: 7_005,
} as const;

export const takeLock = async (tx: Transaction, lock: keyof typeof advisoryLocks): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${advisoryLocks[lock]}::bigint)`;
};

/** Waits for the holder of the lock, and prevents others from taking it exclusively; they may share it. */
export const shareLock = async (tx: Transaction, lock: keyof typeof advisoryLocks): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${advisoryLocks[lock]}::bigint)`;
};

/** The database's clock now (not the transaction's start): the only clock for decisions. */
export const databaseNow = (db: Queryable): Promise<Date> => sharedIn.get(db)?.clock() ?? readClock(db);

const readClock = async (db: Queryable): Promise<Date> => {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (row === undefined) throw new Error('the database did not tell its time');
  return row.now;
};

/** Locks the session's row until the transaction ends: one decision at a time. False when there is no row. */
export const lockSession = async (tx: Transaction, sessionId: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM session WHERE id = ${sessionId}::uuid FOR NO KEY UPDATE`;
  return rows.length > 0;
};

/**
 * Locks the session's row also against the beginnings of actions. Beginnings run beside decisions, but share the row
 * (`recordActionStart`). This lock waits for earlier beginnings, and later ones see what this transaction has written.
 */
export const lockSessionAndBeginnings = async (tx: Transaction, sessionId: string): Promise<void> => {
  await tx.$queryRaw`SELECT 1 FROM session WHERE id = ${sessionId}::uuid FOR UPDATE`;
};

/**
 * Locks the session's row, for a beginning, before the rows that follow in the order of locks (docs/design/facts.md).
 *
 * @returns which times of owners may count in it; this does not change in the session while the lock lasts
 */
export const shareSession = async (tx: Transaction, sessionId: string): Promise<OwnersInSession> => {
  const [session] = await tx.$queryRaw<OwnersInSession[]>`
    SELECT postpone IS NOT NULL AS "letsPutOff",
      owner_hours ->> 'mode' IS DISTINCT FROM 'ignore' AND (
        EXISTS (SELECT FROM project_terms WHERE terms ?| ARRAY['hours', 'notice_seconds']) OR
        EXISTS (SELECT FROM instance_constraint WHERE terms ?| ARRAY['hours', 'notice_seconds']) OR
        EXISTS (SELECT FROM group_constraint WHERE terms ?| ARRAY['hours', 'notice_seconds'])
      ) AS "keepsTerms"
    FROM session WHERE id = ${sessionId}::uuid FOR KEY SHARE`;
  return session ?? { letsPutOff: false, keepsTerms: false };
};

export interface OwnersInSession {
  /** Projects may put work off by their answers. */
  readonly letsPutOff: boolean;
  /** Terms have hours or a notice, and the session does not ignore them. */
  readonly keepsTerms: boolean;
}
