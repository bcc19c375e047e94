/** The snapshot that decisions rest on: what the cloud lists, with claims, constraints and the sessions' hosts. */
import { findAllConstraints } from '../prisma/constraints/all-constraints';
import type { StoredInstanceConstraint } from '../prisma/constraints/constraints-for-decisions';
import type { Transaction } from '../prisma/database';
import {
  findOwnedHosts,
  findStartingUntil,
  isPhaseUnderWork,
  type SessionHostRecord,
} from '../prisma/hosts/session-hosts';
import { type ClaimRecord, findLandings, findOpenClaims, type Landing } from '../prisma/moves/claims';
import { findMoved } from '../prisma/moves/moved-instances';
import { findReservations, type ReservationRecord } from '../prisma/moves/reservations';
import { findReturns } from '../prisma/moves/returns';
import { findRefusals } from '../prisma/moves/target-refusals';
import { findFirstBegun } from '../prisma/session/first-begun';
import { findEvictions } from '../prisma/session/session-eviction';
import { findHostStartSeconds } from '../prisma/session/session-host-start';
import type { TimesForOwners } from '../prisma/session/times-for-owners';
import { findAllTerms } from '../prisma/terms/known-terms';
import { notAsBefore, type OnceItself, onceItselfOf } from '../rules/cloud/as-before';
import type { CloudHost, CloudInstance } from '../rules/cloud/cloud-facts';
import type { Eviction } from '../rules/cloud/eviction';
import { nothingKnown } from '../rules/cloud/host-findings';
import { keyOf } from '../rules/cloud/id';
import { seenIn } from '../rules/cloud/seen-in-session';
import { withMembersAway } from '../rules/constraints/members-away';
import { type InstanceFacts, noFlavor, oneMemberAtATime } from '../rules/constraints/work-out-limits';
import { areAnyBack } from '../rules/decisions/fleet/back-on-host';
import type { Claim, Fleet, Host, HostWork } from '../rules/decisions/fleet/fleet';
import { seenThrough } from '../rules/decisions/fleet/seen-through';
import { claimOfGone } from '../rules/decisions/limits/impact';
import { refusalsThatHold } from '../rules/decisions/limits/refusals';
import { placedWithoutOtherHost } from '../rules/decisions/model/without-other-host';
import type { KnownTerms } from '../rules/terms/answer-by-terms';
import { movesByTerms } from '../rules/terms/moves-by-terms';
import { toldBy, withToldTerms } from '../rules/terms/told-terms';
import { withExpectedMaintenances } from './expected-maintenances';
import type { CloudSnapshot } from './look-at-cloud';
import { limitsOf, sharedFactsOf } from './shared-facts';
import { withConstraints } from './with-constraints';
import { withMitigation } from './with-mitigation';
import { type OwnerTimeLimits, withOwnerTimes } from './with-owner-times';

/** The snapshot with the rows that it was made from. */
export interface FleetFacts {
  readonly fleet: Fleet;
  /** Open ones, of all sessions. */
  readonly claims: readonly ClaimRecord[];
  /** Hosts of all unfinished sessions, by name. */
  readonly hosts: readonly SessionHostRecord[];
  /** The reservations of all sessions, the oldest first. */
  readonly reservations: readonly ReservationRecord[];
  /** The times when the constraints of instances were stored, by the IDs of the instances. */
  readonly constraintsAt: ReadonlyMap<string, Date>;
  /** All that are stored, with those that the cloud tells. */
  readonly terms: KnownTerms;
}

export interface Loading extends OwnerTimeLimits {
  readonly now: Date;
  /** The setting. */
  readonly hostStartSeconds: number;
  /** The setting; left out: its default. */
  readonly expectedMaintenanceSeconds?: number;
  /** The time that a session which is not there yet gives its hosts to come back, by host; left out: as the setting. */
  readonly newHostStarts?: ReadonlyMap<string, number>;
  /** What a session that is not there yet says about instances on its hosts; left out: there is none, or nothing. */
  readonly newEvictions?: ReadonlyMap<string, Eviction>;
  /** The times of a session that is not there yet, by host; left out: there is none. */
  readonly newTimes?: ReadonlyMap<string, TimesForOwners>;
  /** Reads others in place of the terms that are stored; left out: those. */
  readonly termsAsIf?: ((stored: KnownTerms) => KnownTerms) | undefined;
  /** True for who expects how long answers take: instances have the answers of terms then. */
  readonly foretellsAnswers?: boolean;
}

export const readFleet = async (tx: Transaction, snapshot: CloudSnapshot, loading: Loading): Promise<Fleet> =>
  (await loadFleetFacts(tx, snapshot, loading)).fleet;

export const loadFleetFacts = async (tx: Transaction, listed: CloudSnapshot, loading: Loading): Promise<FleetFacts> => {
  const { now } = loading;
  const records = await recordsFor(tx, listed, loading);
  const { claims, works, reservations, shared, terms } = records;
  const { constraints, mitigations } = shared;
  const evictionOn = await evictionsFor(tx, listed, { ...loading, works });
  const { instances, groups, lastLimitsOf } = limitedBy(listed, { ...records, evictionOn }, now);
  const planned = {
    hosts: await withExpectedMaintenances(
      tx,
      withWork({ ...listed, startingUntil: records.startingUntil, startSecondsOf: records.startSecondsOf }, works),
      loading.expectedMaintenanceSeconds,
    ),
    instances,
    groups,
    claims: claims.map(toClaim).map((claim) => {
      const last = lastLimitsOf.get(claim.instanceId);
      return last === undefined ? claim : claimOfGone(claim, last);
    }),
    reservations,
    misfits: listed.misfits,
  };
  const noted = refusalsThatHold(await findRefusals(tx, now), planned, now.getTime());
  const refusals = [...noted, ...listed.notOffered];
  const missingRight = listed.missingRights.find(({ severity }) => severity === 'stops');
  const returns = areAnyBack(planned) ? await findReturns(tx) : [];
  const further = { ...(missingRight && { missingRight }), ...(returns.length > 0 && { returns }) };
  const fleet = seenThrough({ ...planned, refusals, ...further }, [
    await withMitigation(tx, { instances, works, mitigations }),
    placedWithoutOtherHost(planned),
    await withOwnerTimes(tx, works, { ...loading, terms }),
    loading.foretellsAnswers === true ? movesByTerms(terms, listed.actions) : undefined,
  ]);
  const constraintsAt = new Map(constraints.instances.map(({ instanceId, storedAt }) => [instanceId, storedAt]));
  return { fleet, claims, hosts: works, reservations, constraintsAt, terms };
};

type EvictionOn = (host: string) => Eviction | null;

/** Choices of the session that owns a host, about the instances on the host. */
const evictionsFor = async (
  tx: Transaction,
  { actions }: CloudSnapshot,
  { newEvictions = new Map(), works }: Loading & { readonly works: readonly SessionHostRecord[] },
): Promise<EvictionOn> => {
  if (!actions.hasEvictionOptions) return () => null;
  const said = await findEvictions(tx, [...new Set(works.map(({ sessionId }) => sessionId))]);
  const own = new Map(works.map(({ hostname, sessionId }) => [hostname, said.get(sessionId)]));
  return (host) => own.get(host) ?? newEvictions.get(host) ?? null;
};

const asStored = (terms: KnownTerms): KnownTerms => terms;

/** What the service has recorded about the cloud, with the IDs of instances as the cloud lists them. */
const recordsFor = async (tx: Transaction, snapshot: CloudSnapshot, loading: Loading) => {
  const { now, hostStartSeconds, termsAsIf = asStored } = loading;
  const stored = await findAllConstraints(tx);
  const terms = withToldTerms(termsAsIf(await findAllTerms(tx, stored)), toldBy(snapshot.instances));
  const shared = sharedFactsOf(snapshot, stored);
  const { asListed } = shared;
  const claims = (await findOpenClaims(tx, now)).map(asListed);
  const works = await findOwnedHosts(tx);
  const enabledLately = await findStartingUntil(tx, { now, hostStartSeconds });
  const startSecondsOf = await startSecondsFor(tx, works, loading);
  const startingUntil = new Map([...downLately(snapshot, now, startSecondsOf), ...enabledLately]);
  const reservations = (await findReservations(tx)).map(asListed);
  const landings = (await findLandings(tx, snapshot.takenAt)).map(asListed);
  const tellsMembers = snapshot.groups.some(({ members }) => members !== undefined);
  const begunAt = tellsMembers ? await findFirstBegun(tx) : undefined;
  const unwell = tellsMembers ? [] : snapshot.instances.filter(({ isUnhealthy }) => isUnhealthy === true);
  const movedAndUnwell = await findMoved(
    tx,
    unwell.map(({ instanceId }) => instanceId),
  );
  return {
    claims,
    works,
    startingUntil,
    startSecondsOf,
    reservations,
    landings,
    begunAt,
    movedAndUnwell,
    shared,
    terms,
  };
};

type StartSecondsOf = (hostname: string) => number;

/** What the session says that owns the host, else the setting. */
const startSecondsFor = async (
  tx: Transaction,
  works: readonly SessionHostRecord[],
  { hostStartSeconds, newHostStarts }: Loading,
): Promise<StartSecondsOf> => {
  const said = await findHostStartSeconds(tx, [...new Set(works.map(({ sessionId }) => sessionId))]);
  const own = new Map(works.map(({ hostname, sessionId }) => [hostname, said.get(sessionId)]));
  return (hostname) => own.get(hostname) ?? newHostStarts?.get(hostname) ?? hostStartSeconds;
};

/** Hosts that went down a short time ago, each with the time until which they are expected to be back. */
const downLately = ({ hosts }: CloudSnapshot, now: Date, startSecondsOf: StartSecondsOf): ReadonlyMap<string, Date> =>
  new Map(
    hosts.flatMap(({ name, downSince }) => {
      const until = downSince && new Date(downSince.getTime() + startSecondsOf(name) * 1000);
      return until === undefined || until <= now ? [] : [[name, until] as const];
    }),
  );

interface RecordsWithEvictions extends Awaited<ReturnType<typeof recordsFor>> {
  readonly evictionOn: EvictionOn;
}

/** The instances and groups of the fleet, with their limits; `lastLimitsOf`: those of instances that are gone. */
const limitedBy = (
  snapshot: CloudSnapshot,
  { claims, evictionOn, landings, begunAt, movedAndUnwell, shared }: RecordsWithEvictions,
  now: Date,
) => {
  const { constraints } = shared;
  const landingOf = new Map(landings.map((one) => [one.instanceId, one]));
  const located = snapshot.instances.flatMap((instance) =>
    locate(seenIn(evictionOn(instance.host), instance), landingOf.get(instance.instanceId)),
  );
  const gone = goneInstances(claims, { located, constraints: constraints.instances });
  const isAsListed = gone.length === 0 && located.length === snapshot.instances.length;
  const limits = isAsListed ? shared.limits() : limitsOf([...located, ...gone], constraints, snapshot.groups);
  const facts = { ...limits, cloudGroups: snapshot.groups, claims, movedAndUnwell, instances: located };
  const groups = withMembersAway(facts, { nowMs: now.getTime(), begunAtMs: begunAt?.getTime() });
  return {
    instances: withConstraints(located, constraints.instances, { ...limits, actions: snapshot.actions }),
    groups: snapshot.choosesTarget || snapshot.keepsLimits ? groups : groups.map(oneMemberAtATime),
    lastLimitsOf: new Map(gone.map(({ instanceId }) => [instanceId, limits.limitedOf.get(instanceId)])),
  };
};

/** Instances that have a claim and are gone, and whose constraints still name a group. */
const goneInstances = (
  claims: readonly ClaimRecord[],
  known: {
    readonly located: readonly CloudInstance[];
    readonly constraints: readonly Pick<StoredInstanceConstraint, 'instanceId'>[];
  },
): readonly InstanceFacts[] => {
  const located = new Set(known.located.map(({ instanceId }) => instanceId));
  const gone = claims.filter(({ instanceId }) => !located.has(instanceId));
  if (gone.length === 0) return [];
  const constrained = new Set(known.constraints.map(({ instanceId }) => keyOf(instanceId)));
  return gone
    .filter(({ instanceId }) => constrained.has(keyOf(instanceId)))
    .map(({ instanceId, projectId }) => ({ instanceId, projectId, flavor: noFlavor }));
};

/** An action that ended after the listing was begun has put the instance elsewhere, or found it gone. */
const locate = (instance: CloudInstance, landing: Landing | undefined): CloudInstance[] => {
  if (landing === undefined) return [instance];
  return landing.kind === 'gone' ? [] : [{ ...instance, host: landing.host }];
};

export interface ListedHosts extends Pick<CloudSnapshot, 'hosts' | 'takenAt'> {
  /** Times until which Parley waits for the start of each host that was enabled lately. */
  readonly startingUntil: ReadonlyMap<string, Date>;
  /** Left out: nobody asks whether hosts are back after their maintenance. */
  readonly startSecondsOf?: StartSecondsOf;
}

/** The hosts, each with the work of the session that owns it. */
export const withWork = (
  { hosts, takenAt, startingUntil, startSecondsOf }: ListedHosts,
  works: readonly SessionHostRecord[],
): Host[] => {
  const workOn = new Map(works.map((work) => [work.hostname, work]));
  return hosts.map((listed): Host => {
    const { name, type, isCompute, labels, amounts, enabled, isUp, contentUnknown, maintenanceSeconds } = listed;
    const work = workOn.get(name);
    const isEnabled = enabled || isEnabledSince(takenAt, work);
    const host = {
      name,
      type,
      isCompute,
      ...(labels && { labels }),
      amounts,
      enabled: isUp && isEnabled && contentUnknown === undefined,
      ...classOf(listed, work),
      ...(!isUp && notUp(isEnabled ? startingUntil.get(name) : undefined)),
      ...doubtAbout(listed, work),
      ...(maintenanceSeconds !== undefined && { expectedMaintenanceSeconds: maintenanceSeconds }),
    };
    if (work === undefined) return host;
    return { ...host, work: { ...toWork(work, takenAt), ...comingBack(work, listed, startSecondsOf) } };
  });
};

const classOf = (
  listed: CloudHost,
  work: SessionHostRecord | undefined,
): Pick<Host, 'offers' | 'offersOnceItself' | keyof OnceItself> => {
  const { offers, offersOnceItself } = listed;
  return {
    ...(offers !== undefined && { offers }),
    ...(offersOnceItself !== undefined && { offersOnceItself }),
    ...onceItselfOf(work && isPhaseUnderWork(work) ? work.offeredBefore : null, listed),
  };
};

/** @param until the time in which it is expected, since it was enabled lately */
const notUp = (until: Date | undefined): Pick<Host, 'startingUntilMs' | 'isDown'> =>
  until === undefined ? { isDown: true } : { startingUntilMs: until.getTime() };

const doubtAbout = ({ name, contentUnknown }: CloudHost, work: SessionHostRecord | undefined): Pick<Host, 'doubt'> => {
  const doubt = contentUnknown === undefined ? work?.findings?.doubts[0] : nothingKnown(name, contentUnknown);
  return doubt === undefined ? {} : { doubt };
};

/**
 * Else a host that came back while the cloud was listed would be no target, and a session with none would ask for
 * capacity.
 */
const isEnabledSince = (takenAt: Date, work: SessionHostRecord | undefined): boolean =>
  work !== undefined && !work.disabled && work.enabledAt !== null && work.enabledAt > takenAt;

const toWork = (record: SessionHostRecord, takenAt: Date): HostWork => ({
  sessionId: record.sessionId,
  phase: record.phase,
  // Only what was listed after the disable shows that nothing more can come to the host.
  disabled: record.disabled && record.disabledAt !== null && record.disabledAt <= takenAt,
  disabledBefore: record.disabledBefore ?? false,
  ...(record.firstDrainedAt !== null && { drainingSinceMs: record.firstDrainedAt.getTime() }),
  ...(record.disabled && record.disabledAt !== null && { disabledAtMs: record.disabledAt.getTime() }),
  announced: record.announcedAt !== null,
  ...(record.announcedAt !== null && { announcedAtMs: record.announcedAt.getTime() }),
  releases: record.releases,
  ...whyNotDone(record),
  ...(record.firstAt !== null && { firstAtMs: record.firstAt.getTime() }),
});

const whyNotDone = ({ failure, refusedBecause, keptDisabledBy, skipReason }: SessionHostRecord): Partial<HostWork> => ({
  ...(failure !== null && { failure }),
  ...(refusedBecause !== null && { refusedBecause }),
  ...(keptDisabledBy !== null && { keptDisabledBy }),
  ...(skipReason !== null && { skipReason }),
});

/** Nothing: its maintenance is not over, or it is back. */
const comingBack = (
  { hostname, phase, enablingAt, offeredBefore, ignoredMarks }: SessionHostRecord,
  listed: CloudHost,
  startSecondsOf: StartSecondsOf | undefined,
): Pick<HostWork, 'comesBack'> => {
  if (startSecondsOf === undefined || phase !== 'maintaining' || enablingAt === null) return {};
  const differences = listed.isUp ? notAsBefore(offeredBefore, listed, ignoredMarks) : [];
  if (listed.isUp && differences.length === 0) return {};
  return { comesBack: { untilMs: enablingAt.getTime() + startSecondsOf(hostname) * 1000, differences } };
};

const toClaim = (record: ClaimRecord): Claim => {
  const { id, sessionId, instanceId, groupKey, furtherLimitKeys, source, target, action, amounts } = record;
  // findOpenClaims returns open ones only.
  const phase = record.phase === 'closed' ? 'recovering' : record.phase;
  const limited = { groupKey, ...(furtherLimitKeys.length > 0 && { furtherLimitKeys }) };
  const claim = { id, sessionId, instanceId, ...limited, phase, source, target, action, amounts };
  return record.recoversAt === null ? claim : { ...claim, recoversAtMs: record.recoversAt.getTime() };
};
