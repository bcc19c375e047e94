/**
 * Puts storing constraints and deciding on them in an order. A transaction that stores a record locks it exclusively.
 * When it has written, it shares the lock of admission until it has committed. A decision is made and written without
 * that lock, and takes it to commit: then no writer commits, and the decision is made anew where a change that it has
 * not seen matters to what it admits (constraint-changes.ts). An action that begins shares the locks of the records
 * that it is judged by. So everything that is granted or begins after constraints were stored keeps to them. All
 * transactions lock in one order, so that they cannot deadlock: the records of instances, the limits, and, after all
 * other locks, the admission.
 */
import { Prisma } from '@prisma/client';
import type { IdKey } from '../../rules/cloud/id';
import { type Database, inTransaction, shareLock, type Transaction } from '../database';

/** Families of advisory locks, which can also lock records that are not stored yet. */
const recordLocks = { instance: 7_101, group: 7_102 } as const;

/** Runs `work`, which stores or deletes constraints, in a transaction of its own. */
export const inConstraintWriting = <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await shareLock(tx, 'constraints');
    const result = await work(tx);
    await shareLock(tx, 'admission');
    return result;
  });

type RecordKind = keyof typeof recordLocks;

/** Locks for storing or deleting the records with these keys. */
export const lockRecords = async (tx: Transaction, kind: RecordKind, keys: Iterable<string>): Promise<void> => {
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(${recordLocks[kind]}::int, lock) FROM (${inOrder(keys)}) AS ordered`;
};

const shareRecords = async (tx: Transaction, kind: RecordKind, keys: Iterable<string>): Promise<void> => {
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock_shared(${recordLocks[kind]}::int, lock) FROM (${inOrder(keys)}) AS ordered`;
};

/** Orders keys by the numbers of their locks and not by themselves: two keys may have one lock. */
const inOrder = (keys: Iterable<string>): Prisma.Sql =>
  Prisma.sql`SELECT DISTINCT hashtext(key) AS lock FROM unnest(${[...keys]}::text[]) AS key ORDER BY lock`;

/** Locks for beginning an action under the stored constraints of its instance. */
export const shareInstance = (tx: Transaction, key: IdKey): Promise<void> => shareRecords(tx, 'instance', [key]);

/**
 * Locks for beginning an action under these limits. A key may be of a group that nobody can store
 * (rules/decisions/fleet/fleet.ts, Group).
 */
export const shareLimits = (tx: Transaction, keys: Iterable<string>): Promise<void> => shareRecords(tx, 'group', keys);

/**
 * Locks for ending, without an action, a claim whose instance was asked: its recovery begins. Other members that begin
 * at this time have begun before it, or they count it.
 */
export const lockLimits = (tx: Transaction, keys: Iterable<string>): Promise<void> => lockRecords(tx, 'group', keys);
