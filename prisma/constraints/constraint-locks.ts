/**
 * Puts storing constraints and deciding on them in an order. A transaction that stores a record locks it exclusively,
 * and shares the lock of admission until it has committed. A decision is made without that lock, and takes it to be
 * written: then no writer is under way, and the decision is made anew where a change that it has not seen matters to
 * what it admits (constraint-changes.ts). An action that begins shares the locks of the records that it is judged by.
 * So everything that is granted or begins after constraints were stored keeps to them. All transactions lock in this
 * order, so that they cannot deadlock: the admission, the records of instances, and the limits.
 */
import { Prisma } from '@prisma/client';
import type { IdKey } from '../../rules/cloud/id';
import { shareLock, type Transaction } from '../database';

/** Families of advisory locks, which can also lock records that are not stored yet. */
const recordLocks = { instance: 7_101, group: 7_102 } as const;

/**
 * Comes first in a transaction that stores or deletes constraints. It waits while an admission is being written, not
 * while it is decided.
 */
export const holdOffAdmission = (tx: Transaction): Promise<void> => shareLock(tx, 'admission');

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
