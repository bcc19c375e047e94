/** How an admin steers a session: the additions to its create request, as its row has them, and changing them. */
import { Prisma } from '@prisma/client';
import type { Eviction } from '../../rules/cloud/eviction';
import type { RollingSession } from '../../rules/decisions/both-workflows/built-in-workflow';
import type { MaintenanceWindow } from '../../rules/maintenance-windows/maintenance-window';
import type { OwnerHours } from '../../rules/owner-times/hours-ahead';
import type { Postpone } from '../../rules/owner-times/postpone';
import type { ReplyPolicy } from '../../rules/questions/reply-policy';
import { type ChangeRefusal, refusalOfChange } from '../../rules/requests/session-change';
import type { Canary } from '../../rules/steering/canary';
import {
  type Database,
  databaseNow,
  inTransaction,
  lockSessionAndBeginnings,
  type Queryable,
  type Transaction,
} from '../database';
import { findSessionHosts, giveBackLeftDisabled } from '../hosts/session-hosts';
import { rewriteLatestTimes } from '../questions/latest-times';
import { findFreezes } from './freezes';
import { recordOpening } from './session-opening';

export type FailedHosts = 'leave_disabled' | 'enable';

/** Null: not given. */
export interface Steering {
  /** What an admin calls the session. */
  readonly name: string | null;
  /** The reason for the session, which the owners of instances are told. */
  readonly reason: string | null;
  /** Hosts under work at once at most; null: as many as is safe. */
  readonly maxParallelHosts: number | null;
  /** Hosts under work at once at most for each text of a label, by its key; null: as many as is safe. */
  readonly maxParallelPer: Readonly<Record<string, number>> | null;
  /** The key of a label: hosts under work at once have the same text of it; null: whatever their labels are. */
  readonly oneDomainAtATime: string | null;
  /** The seconds that a host may take to be up after its maintenance; null: as the setting says. */
  readonly hostStartSeconds: number | null;
  /** The number of hosts that may fail before the session does; null: none. */
  readonly maxFailedHosts: number | null;
  /** Says if hosts that are set aside are enabled again; null: leave_disabled. */
  readonly failedHosts: FailedHosts | null;
  /** The consequences of silence and of the last refusal; null: the usual ones. */
  readonly replyPolicy: ReplyPolicy | null;
  /** Hosts that are maintained first and alone; null: none. */
  readonly canary: Canary | null;
  /** The maintenance windows, in which new work may begin; null: it may begin at any time. */
  readonly windows: readonly MaintenanceWindow[] | null;
  /** The reason why freezes do not count for the session; null: they count. */
  readonly ignoreFreezes: string | null;
  /** The time by which the session should be over; null: none. */
  readonly deadline: Date | null;
  /** What becomes of instances that the cloud keeps; null: as the settings say. */
  readonly eviction: Eviction | null;
  /** How long projects may put work off; null: they may not. */
  readonly postpone: Postpone | null;
  /** How far the hours in the terms of owners are kept; null: they are. */
  readonly ownerHours: OwnerHours | null;
}

/** A session that was created without any addition. */
export const noSteering: Steering = {
  name: null,
  reason: null,
  maxParallelHosts: null,
  maxParallelPer: null,
  oneDomainAtATime: null,
  hostStartSeconds: null,
  maxFailedHosts: null,
  failedHosts: null,
  replyPolicy: null,
  canary: null,
  windows: null,
  ignoreFreezes: null,
  deadline: null,
  eviction: null,
  postpone: null,
  ownerHours: null,
};

type JsonField = 'maxParallelPer' | 'replyPolicy' | 'canary' | 'windows' | 'eviction' | 'postpone' | 'ownerHours';

/** The columns of a session's row. */
export interface SteeringColumns extends Omit<Steering, 'failedHosts' | JsonField> {
  readonly maxParallelPer: unknown;
  readonly replyPolicy: unknown;
  readonly failedHosts: string | null;
  readonly canary: unknown;
  readonly windows: unknown;
  readonly eviction: unknown;
  readonly postpone: unknown;
  readonly ownerHours: unknown;
}

/** Fields that are not named stay unchanged. */
export type SteeringChange = Partial<Steering & { readonly maintenanceAt: Date }>;

export interface SteeredSession extends RollingSession {
  readonly id: string;
  readonly state: string;
  readonly maintenanceAt: Date;
  /** Null: it has not begun, and its start may be moved. */
  readonly begunAt: Date | null;
  readonly steering: Steering;
  readonly canary: CanaryFacts;
}

/** The facts that a change of the canary has to fit. */
export interface CanaryFacts {
  readonly hosts: readonly string[];
  /** The hosts whose work has begun. */
  readonly begun: readonly string[];
  /** The canary before the change. */
  readonly before: Canary | null;
  readonly endedAt: Date | null;
}

/** invalid: what the session would become does not hold together, as `check` says. */
export type SteeringOutcome<E> =
  | { readonly kind: 'changed'; readonly session: SteeredSession }
  | { readonly kind: 'unknown' }
  | ({ readonly kind: 'refused' } & ChangeRefusal)
  | { readonly kind: 'invalid'; readonly errors: readonly E[] };

/** Selects the steering from a session's row. */
export const steeringOf = (row: SteeringColumns): Steering => ({
  name: row.name,
  reason: row.reason,
  maxParallelHosts: row.maxParallelHosts,
  maxParallelPer: row.maxParallelPer as Steering['maxParallelPer'],
  oneDomainAtATime: row.oneDomainAtATime,
  hostStartSeconds: row.hostStartSeconds,
  maxFailedHosts: row.maxFailedHosts,
  // The columns hold what the API's parsers let in.
  failedHosts: row.failedHosts as FailedHosts | null,
  replyPolicy: row.replyPolicy as ReplyPolicy | null,
  canary: row.canary as Canary | null,
  windows: row.windows as Steering['windows'],
  ignoreFreezes: row.ignoreFreezes,
  deadline: row.deadline,
  eviction: row.eviction as Eviction | null,
  postpone: row.postpone as Postpone | null,
  ownerHours: row.ownerHours as OwnerHours | null,
});

/** Null: the session has none, or is not there. */
export const findDeadline = async (db: Queryable, sessionId: string): Promise<Date | null> =>
  (await db.session.findUnique({ where: { id: sessionId }, select: { deadline: true } }))?.deadline ?? null;

const isAnyChange = (change: SteeringChange): boolean => Object.keys(change).length > 0;

const hostsAsJson = ({ hosts }: Canary): number | string[] => (typeof hosts === 'number' ? hosts : [...hosts]);

const asJson = (windows: Steering['windows']) => ({
  windows: windows === null ? Prisma.DbNull : windows.map((window) => ({ ...window })),
});

/** Those of the fields that a change names. */
const objectsAsJson = (fields: Readonly<Record<string, object | null | undefined>>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value === null ? Prisma.DbNull : { ...value }] as const],
    ),
  );

/** Writes in the transaction that holds the session's row, or creates it. */
export const writeSteering = async (tx: Transaction, sessionId: string, change: SteeringChange): Promise<void> => {
  if (!isAnyChange(change)) return;
  const { windows, canary, maxParallelPer, replyPolicy, eviction, postpone, ownerHours, ...rest } = change;
  const objects = { maxParallelPer, replyPolicy, eviction, postpone, ownerHours };
  await tx.session.update({
    where: { id: sessionId },
    data: {
      ...rest,
      ...(windows !== undefined && asJson(windows)),
      ...objectsAsJson(objects),
      ...(canary !== undefined && {
        canary: canary === null ? Prisma.DbNull : { ...canary, hosts: hostsAsJson(canary) },
      }),
      // No event has told yet that the new deadline is missed.
      ...(change.deadline !== undefined && { deadlineMissed: null }),
    },
  });
  if (windows !== undefined || change.ignoreFreezes !== undefined) {
    await recordOpening(tx, { sessionId, freezes: await findFreezes(tx) });
  }
  if (postpone !== undefined) await rewriteLatestTimes(tx, sessionId, postpone);
};

/**
 * Changes what is named, under the row's lock: of two changes at once both are kept, and of the same field the later
 * one. Nothing that the change forbids begins after the commit: every beginning waits for the lock.
 * @param check what is wrong with the session as it would be
 */
export const changeSteering = <E>(
  db: Database,
  {
    sessionId,
    change,
    check,
  }: {
    readonly sessionId: string;
    readonly change: SteeringChange;
    /** @param now by the clock of the database */
    readonly check: (session: SteeredSession, now: Date) => readonly E[];
  },
): Promise<SteeringOutcome<E>> =>
  inTransaction(db, async (tx): Promise<SteeringOutcome<E>> => {
    await lockSessionAndBeginnings(tx, sessionId);
    const row = await tx.session.findFirst({ where: { id: sessionId, deletedAt: null } });
    if (row === null) return { kind: 'unknown' };
    const refusal = refusalOfChange({ state: row.state, isDeleting: row.deleteRequestedAt !== null });
    if (refusal !== undefined) return { kind: 'refused', ...refusal };
    const { id, state, workflow, rolling, begunAt } = row;
    const { maintenanceAt = row.maintenanceAt, ...steering } = change;
    const steered = { ...steeringOf(row), ...steering };
    const hosts = await findSessionHosts(tx, sessionId);
    const begun = hosts.filter(({ phase }) => phase !== 'waiting' && phase !== 'skipped');
    const canary = {
      hosts: hosts.map(({ hostname }) => hostname),
      begun: begun.map(({ hostname }) => hostname),
      before: steeringOf(row).canary,
      endedAt: row.canaryEndedAt,
    };
    const session = { id, state, workflow, rolling, maintenanceAt, begunAt, steering: steered, canary };
    const errors = check(session, await databaseNow(tx));
    if (errors.length > 0) return { kind: 'invalid', errors };
    await writeSteering(tx, sessionId, change);
    const isAtWork = row.state !== 'MAINTENANCE_FAILED' && row.stopping === null && row.abortRequestedAt === null;
    if (change.failedHosts === 'enable' && isAtWork) await giveBackLeftDisabled(tx, sessionId);
    if (isAnyChange(change)) {
      await tx.session.update({ where: { id: sessionId }, data: { updatedAt: await databaseNow(tx) } });
    }
    return { kind: 'changed', session };
  });
