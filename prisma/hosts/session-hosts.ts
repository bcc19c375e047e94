/** The hosts of sessions. */
import { Prisma } from '@prisma/client';
import type { OfferedBefore } from '../../rules/cloud/as-before';
import type { HostFindings } from '../../rules/cloud/host-findings';
import type { HostPhase } from '../../rules/decisions/fleet/fleet';
import type { HostHold } from '../../rules/holds/hold';
import { type HostEvent, stepOfHost } from '../../rules/steps/host-step';
import { percentDone } from '../../rules/words/percent-done';
import { databaseNow, type Queryable } from '../database';

export interface SessionHostRecord {
  readonly sessionId: string;
  readonly hostname: string;
  readonly type: 'compute' | 'controller';
  readonly isCompute: boolean;
  readonly phase: HostPhase;
  readonly phaseSince: Date;
  readonly disabled: boolean;
  readonly disabledAt: Date | null;
  /** Null: the session has not looked yet. */
  readonly disabledBefore: boolean | null;
  /**
   * The time since which the service enables the host, which may not have succeeded yet; null while it need not be
   * enabled.
   */
  readonly enablingAt: Date | null;
  /** The time when the session's own disable was undone last. */
  readonly enabledAt: Date | null;
  /** The time when maintenance.host IN_MAINTENANCE was recorded. */
  readonly announcedAt: Date | null;
  /** The time when the session decided to drain it. */
  readonly drainStartedAt: Date | null;
  /** The same for the first time: a host that was given back may be drained again. */
  readonly firstDrainedAt: Date | null;
  /** What it offered before that; null: not recorded. */
  readonly offeredBefore: OfferedBefore | null;
  /** The names of others' marks on it that an admin has the session ignore. */
  readonly ignoredMarks: readonly string[];
  /** The time when its last maintenance began, also once it is over. */
  readonly maintainedFrom: Date | null;
  readonly maintained: boolean;
  readonly releases: number;
  readonly failure: string | null;
  /** Why it was given back for good: the cloud refused a move of it until the limit; null: it was not. */
  readonly refusedBecause: string | null;
  /** The reason of somebody else who has disabled it since the session did, and keeps it so; null: nobody does. */
  readonly keptDisabledBy: string | null;
  /** Why it is left out of the session, also while it is still to be enabled again; null: it is not. */
  readonly skipReason: string | null;
  /** The time of the request of an admin to drain the host before others. */
  readonly firstAt: Date | null;
  readonly runId: string | null;
  readonly details: string;
  /** What the last look found on it although it should be empty; null: nothing. */
  readonly findings: HostFindings | null;
  /** Set while a person works on it, and until its maintenance goes on after the release; null: nobody does. */
  readonly hold: HostHold | null;
  /** A worker follows its drain until then at least, and sees by itself what happens; null: none does. */
  readonly attendedUntil: Date | null;
}

/** True when its workflow must be open. */
export const isPhaseUnderWork = ({ phase }: Pick<SessionHostRecord, 'phase'>): boolean =>
  phase === 'emptying' || phase === 'maintaining' || phase === 'releasing';

/** The hosts that unfinished sessions own, of all sessions. */
export const findOwnedHosts = async (db: Queryable): Promise<SessionHostRecord[]> => {
  const rows = await db.sessionHost.findMany({ where: { owned: true }, orderBy: { hostname: 'asc' } });
  return rows as SessionHostRecord[];
};

/**
 * The hosts that unfinished sessions own, and those that sessions, over by now, have set aside and left disabled; the
 * rows of these outlive their sessions.
 */
export const findHostsOnRecord = async (db: Queryable): Promise<SessionHostRecord[]> => {
  const rows = await db.sessionHost.findMany({
    where: { OR: [{ owned: true }, leftDisabled] },
    orderBy: { hostname: 'asc' },
  });
  return rows as SessionHostRecord[];
};

/** True when a host was set aside to stay disabled: no admin has skipped it since. */
export const staysSetAside = ({ phase, skipReason }: Pick<SessionHostRecord, 'phase' | 'skipReason'>): boolean =>
  phase === 'set_aside' && skipReason === null;

/** True when the session has set it aside and left it disabled by its own disable. */
export const isLeftDisabled = (host: SessionHostRecord): boolean =>
  staysSetAside(host) && host.disabled && host.disabledBefore === false;

/** Has the hosts that a session has set aside and left disabled enabled again; they stay set aside. */
export const giveBackLeftDisabled = async (tx: Queryable, sessionId: string): Promise<void> => {
  const left = (await findSessionHosts(tx, sessionId)).filter(isLeftDisabled);
  await changeHosts(tx, { sessionId, hostnames: left.map(({ hostname }) => hostname) }, { phase: 'releasing' });
};

/** The same in the database, of hosts that are disabled. */
const leftDisabled = { phase: 'set_aside', disabled: true, skipReason: null } as const;

/** Removes the hosts of a deleted session. It keeps the rows of hosts that stay disabled, which then have no owner. */
export const removeSessionHosts = async (tx: Queryable, sessionId: string): Promise<void> => {
  await tx.sessionHost.deleteMany({ where: { sessionId, NOT: leftDisabled } });
  await disownHosts(tx, sessionId);
};

export const findSessionHosts = async (db: Queryable, sessionId: string): Promise<SessionHostRecord[]> => {
  const rows = await db.sessionHost.findMany({ where: { sessionId }, orderBy: { hostname: 'asc' } });
  return rows as SessionHostRecord[];
};

/** The names of the marks of others that the session ignores which owns the host. */
export const findIgnoredMarks = async (db: Queryable, hostname: string): Promise<readonly string[]> =>
  (await findHostOwner(db, hostname))?.ignoredMarks ?? [];

/** The work of the unfinished session that owns the host; null when none does. */
export const findHostOwner = async (db: Queryable, hostname: string): Promise<SessionHostRecord | null> => {
  const row = await db.sessionHost.findFirst({ where: { hostname, owned: true } });
  return row as SessionHostRecord | null;
};

/**
 * Hosts that a session, which may be over by now, has enabled lately, each with the time until which its start is
 * expected.
 */
export const findStartingUntil = async (
  db: Queryable,
  { now, hostStartSeconds }: { readonly now: Date; readonly hostStartSeconds: number },
): Promise<ReadonlyMap<string, Date>> => {
  const startMs = hostStartSeconds * 1000;
  const rows = await db.sessionHost.findMany({
    where: { enabledAt: { gt: new Date(now.getTime() - startMs) } },
    select: { hostname: true, enabledAt: true },
    orderBy: { enabledAt: 'asc' },
  });
  return new Map(
    rows.flatMap(({ hostname, enabledAt }): [string, Date][] =>
      enabledAt === null ? [] : [[hostname, new Date(enabledAt.getTime() + startMs)]],
    ),
  );
};

export interface HostRef {
  readonly sessionId: string;
  readonly hostname: string;
}

const key = ({ sessionId, hostname }: HostRef) => ({ sessionId_hostname: { sessionId, hostname } });

export const findSessionHost = async (db: Queryable, host: HostRef): Promise<SessionHostRecord | null> => {
  const row = await db.sessionHost.findUnique({ where: key(host) });
  return row as SessionHostRecord | null;
};

/** The columns that may be changed; the time of a phase follows the phase. */
export type HostChange = Partial<
  Omit<SessionHostRecord, keyof HostRef | 'type' | 'isCompute' | 'phaseSince' | 'releases' | 'attendedUntil'>
> & {
  readonly releases?: { readonly increment: number } | 0;
};

export const changeHost = async (tx: Queryable, host: HostRef, change: HostChange): Promise<void> => {
  await tx.sessionHost.update({ where: key(host), data: datedAt(await databaseNow(tx), change) });
};

/** Updates the time of the change whenever the phase is written. */
const datedAt = (now: Date, { findings, offeredBefore, ignoredMarks, hold, ...change }: HostChange) => ({
  ...change,
  ...asHold(endsHold(change.phase) ? null : hold),
  ...(ignoredMarks !== undefined && { ignoredMarks: [...ignoredMarks] }),
  ...(offeredBefore != null && { offeredBefore: { ...offeredBefore, keepsAway: [...offeredBefore.keepsAway] } }),
  ...(findings !== undefined && { findings: findings === null ? Prisma.DbNull : asJson(findings) }),
  ...(change.phase !== undefined && { phaseSince: now }),
  updatedAt: now,
});

/**
 * A person stays at work on a host that fails, is drained again or is to be given back; then nobody enables it before
 * the release.
 */
const endsHold = (phase: HostPhase | undefined): boolean =>
  phase === 'maintained' || phase === 'waiting' || phase === 'skipped';

const asHold = (hold: HostHold | null | undefined) => {
  if (hold === undefined) return {};
  if (hold === null) return { hold: Prisma.DbNull };
  const { release, ...others } = hold;
  return { hold: { ...others, ...(release && { release: { ...release } }) } };
};

const asJson = ({ doubts, guests, lookedAtMs }: HostFindings): Prisma.InputJsonObject => ({
  lookedAtMs,
  doubts: doubts.map(({ mark, ...doubt }) => ({ ...doubt, ...(mark && { mark: { ...mark } }) })),
  guests: guests.map((guest) => ({ ...guest })),
});

/** Makes the same change to several hosts of a session, in one statement. */
export const changeHosts = async (
  tx: Queryable,
  { sessionId, hostnames }: { readonly sessionId: string; readonly hostnames: readonly string[] },
  change: HostChange,
): Promise<void> => {
  if (hostnames.length === 0) return;
  await tx.sessionHost.updateMany({
    where: { sessionId, hostname: { in: [...hostnames] } },
    data: datedAt(await databaseNow(tx), change),
  });
};

/** Takes the step of each of the session's hosts after the event. Hosts that change alike take one statement. */
export const stepSessionHosts = async (tx: Queryable, sessionId: string, event: HostEvent): Promise<void> => {
  const changes = (await findSessionHosts(tx, sessionId)).map((host) => {
    const { phase, ...step } = stepOfHost(host, event);
    const anew = phase === 'waiting' ? { phase, details: '' } : { phase };
    return { hostname: host.hostname, change: phase === host.phase ? step : { ...step, ...anew } };
  });
  for (const [, alike] of Map.groupBy(changes, ({ change }) => JSON.stringify(change))) {
    const hostnames = alike.map(({ hostname }) => hostname);
    await changeHosts(tx, { sessionId, hostnames }, alike[0]?.change ?? {});
  }
};

/** Notes the start of the drain of these hosts, unless the session has drained them before. */
export const noteFirstDrains = async (
  tx: Queryable,
  { sessionId, hostnames }: { readonly sessionId: string; readonly hostnames: readonly string[] },
  firstDrainedAt: Date,
): Promise<void> => {
  if (hostnames.length === 0) return;
  await tx.sessionHost.updateMany({
    where: { sessionId, hostname: { in: [...hostnames] }, firstDrainedAt: null },
    data: { firstDrainedAt },
  });
};

export const findPercentDone = async (tx: Queryable, sessionId: string): Promise<number> => {
  const total = await tx.sessionHost.count({ where: { sessionId } });
  const maintained = await tx.sessionHost.count({ where: { sessionId, maintained: true } });
  return percentDone({ maintained, total });
};

/** Hosts that the session goes on without, by name, and why. */
export const findHostsSetAside = async (
  tx: Queryable,
  sessionId: string,
): Promise<{ readonly hostname: string; readonly reason: string }[]> => {
  const rows = await tx.sessionHost.findMany({
    where: { sessionId, phase: { in: ['set_aside', 'skipped'] } },
    select: { hostname: true, failure: true, details: true },
    orderBy: { hostname: 'asc' },
  });
  return rows.map(({ hostname, failure, details }) => ({ hostname, reason: failure ?? details }));
};

/** Another session may maintain the hosts of a finished one. */
export const disownHosts = async (tx: Queryable, sessionId: string): Promise<void> => {
  await tx.sessionHost.updateMany({ where: { sessionId }, data: { owned: false } });
};
