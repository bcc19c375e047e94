/**
 * Which of two comes first: constraints that a project stores, or what is decided on them. Whoever stores a record
 * takes it alone, and holds off admissions, which read all; an action that begins shares the records that it is judged
 * by. So what is granted or begins after constraints were stored keeps to them. In this order, so that nobody waits in
 * a circle: the admission, an instance's record, its group's.
 */
import type { IdKey } from '../../planning/fleet/id';
import { shareLock, type Transaction } from '../database';

/** Families of advisory locks, which hold records that are not stored yet as well. */
const recordLocks = { instance: 7_101, group: 7_102 } as const;

/** Before anything else in a transaction that stores or deletes constraints; it waits for an admission under way. */
export const holdOffAdmission = (tx: Transaction): Promise<void> => shareLock(tx, 'admission');

/** To store or delete the record with the key. */
export const lockRecord = async (tx: Transaction, kind: keyof typeof recordLocks, key: IdKey): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${recordLocks[kind]}::int, hashtext(${key}))`;
};

/** To begin on what is stored. A group's key may be of one that nobody can store (planning/fleet/fleet.ts, Group). */
export const shareRecord = async (tx: Transaction, kind: keyof typeof recordLocks, key: string): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${recordLocks[kind]}::int, hashtext(${key}))`;
};
