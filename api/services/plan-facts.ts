/** The facts that a plan is made of: the snapshot, the sessions that share it, and times that were seen. Reads only. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { type Database, databaseNow, inTransaction, type Transaction } from '../../prisma/database';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { findFreezes } from '../../prisma/session/freezes';
import { findUnfinishedSessions, type SessionProgress } from '../../prisma/session/session-progress';
import { findSeenMaintenances } from '../../prisma/times/maintenance-times';
import { findRefusers, findSeenAnswers, findSeenMoves } from '../../prisma/times/project-times';
import type { CloudHost } from '../../rules/cloud/cloud-facts';
import { withoutMembersAway } from '../../rules/constraints/members-away';
import { asksInstances, asksOnlyTheWilling } from '../../rules/decisions/both-workflows/built-in-workflow';
import { withoutAWord } from '../../rules/decisions/both-workflows/without-a-word';
import type { Fleet, Host, HostWork, Instance } from '../../rules/decisions/fleet/fleet';
import { seenThrough, type ViewOfInstance } from '../../rules/decisions/fleet/seen-through';
import { type SeenTimes, usualTimesOf } from '../../rules/expectations/expected-times';
import type { RefusalLimits } from '../../rules/questions/after-refusal';
import type { PlanInput, SessionInPlan } from '../../rules/simulation/plan/plan';
import { stepOfHost, workAfter } from '../../rules/steps/host-step';
import type { KnownTerms } from '../../rules/terms/answer-by-terms';
import { inHours } from '../../rules/terms/in-hours';
import { answeredAtOnce } from '../../rules/terms/moves-by-terms';
import { type CloudSnapshot, lookAtCloud } from '../../snapshot/look-at-cloud';
import { type FleetFacts, loadFleetFacts, type Loading } from '../../snapshot/read-fleet';
import { readyInstances, withoutExpiredQuestions } from '../../snapshot/settled-answers';
import { askCloud } from './ask-cloud';
import { asPlayed, type PlanTerms, type SessionToPlan } from './session-in-plan';

/** The settings that a plan hangs on, by their names there. */
export interface PlanSettings extends RefusalLimits {
  readonly projectReplySeconds: number;
  readonly hostStartSeconds: number;
  readonly defaultImpactShare: number;
  readonly expectedMaintenanceSeconds: number;
  readonly expectedMoveSeconds: number;
  readonly expectedAnswerSeconds: number;
  readonly scaleInReplySeconds: number;
  readonly scaleInRounds: number;
}

export interface PlanFactsDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly settings: PlanSettings;
  /** The terms in place of those that are stored; left out: the stored ones. */
  readonly termsAsIf?: (stored: KnownTerms) => KnownTerms;
}

export interface PlanFacts {
  readonly input: PlanInput;
  readonly facts: FleetFacts;
  /** All that are not done, failed ones too; the planned one only where it is there. */
  readonly unfinished: readonly SessionProgress[];
  /** What the cloud listed. */
  readonly listed: Pick<CloudSnapshot, 'hosts' | 'instances'>;
}

/**
 * @param choose what is planned, as the records of that moment have it
 * @param newHosts the names of the hosts of a session that is not there yet
 */
export const loadPlanFacts = async (
  { db, cloud, settings, termsAsIf }: PlanFactsDeps,
  choose: (tx: Transaction, now: Date) => Promise<SessionToPlan>,
  newHosts: readonly string[] = [],
): Promise<PlanFacts> => {
  const snapshot = await askCloud(cloud, (asked) => lookAtCloud({ cloud: asked, db }, 'listHosts', newHosts));
  return inTransaction(db, async (tx) => {
    const now = await databaseNow(tx);
    const planned = await choose(tx, now);
    const said = saidFor(newHosts, planned);
    const facts = await loadFleetFacts(tx, snapshot, { now, ...settings, ...said, foretellsAnswers: true, termsAsIf });
    const unfinished = await findUnfinishedSessions(tx);
    const freezes = await findFreezes(tx);
    const seen = await findSeen(tx, planned);
    const usual = usualTimesOf(settings);
    const isInHours = inHours(planned.ownerHours, now.getTime());
    const fleet = withPlannedHosts(facts.fleet, { planned, snapshot });
    const sessions = await sessionsIn(tx, { planned, unfinished, facts, terms: { ...settings, freezes }, now });
    return {
      facts,
      unfinished,
      listed: snapshot,
      input: {
        nowMs: now.getTime(),
        sessionId: planned.id,
        sessions: sessions.played,
        freezes,
        seen,
        usual,
        fleet: { ...sessions.seen(fleet), groups: withoutMembersAway(fleet.groups) },
        cloudHosts: snapshot.hosts.map(asListed),
        claimedAtMs: new Map(facts.claims.map((claim) => [claim.instanceId, sinceOf(claim).getTime()])),
        ...waitsFrom(settings),
        refusedBefore: await findRefusers(tx),
        answeredAtOnce: answeredAtOnce(instancesOf(planned, fleet), facts.terms, isInHours),
      },
    };
  });
};

const asListed = ({ name, enabled, isUp, disabledReason, maintenanceSeconds }: CloudHost) => {
  return { name, enabled, isUp, disabledReason, maintenanceSeconds };
};

/** The instances that the planned session is about. */
export const instancesOf = ({ id }: Pick<SessionToPlan, 'id'>, { hosts, instances }: Fleet): readonly Instance[] => {
  const own = new Set(hosts.filter(({ work }) => work?.sessionId === id).map(({ name }) => name));
  return instances.filter(({ host }) => own.has(host));
};

/** The planned session's own wishes about its hosts and the instances on them. */
const saidFor = (
  newHosts: readonly string[],
  { eviction, hostStartSeconds, windows, ignoreFreezes, ownerHours }: SessionToPlan,
): Pick<Loading, 'newEvictions' | 'newHostStarts' | 'newTimes'> => {
  const forEach = <Said>(said: Said | null): ReadonlyMap<string, Said> =>
    new Map(said === null ? [] : newHosts.map((name) => [name, said] as const));
  const newTimes = forEach({ windows, ignoreFreezes, ownerHours });
  return { newEvictions: forEach(eviction), newHostStarts: forEach(hostStartSeconds), newTimes };
};

const waitsFrom = (settings: PlanSettings): Pick<PlanInput, 'replySeconds' | 'scaleIn'> => ({
  replySeconds: settings.projectReplySeconds,
  scaleIn: { rounds: settings.scaleInRounds, replySeconds: settings.scaleInReplySeconds },
});

const findSeen = async (tx: Transaction, { id, newHosts, actions }: SessionToPlan): Promise<SeenTimes> => ({
  maintenances: await findSeenMaintenances(tx, { actions, ...(newHosts === undefined && { sessionId: id }) }),
  moves: await findSeenMoves(tx),
  answers: await findSeenAnswers(tx),
});

const sinceOf = ({ phase, askedAt, startedAt, createdAt }: ClaimRecord): Date =>
  (phase === 'asked' ? askedAt : startedAt) ?? createdAt;

interface Preparing {
  readonly planned: SessionToPlan;
  readonly snapshot: CloudSnapshot;
}

/** Hosts of a session that is not there yet wait in it; those of one that has failed are as if it went on. */
const withPlannedHosts = (fleet: Fleet, { planned, snapshot }: Preparing): Fleet => {
  const wanted = new Set(planned.newHosts);
  const enabled = new Map(snapshot.hosts.map((host) => [host.name, host.enabled]));
  const hosts = fleet.hosts.map((host): Host => {
    if (wanted.has(host.name) && host.work === undefined) {
      return { ...host, work: waitingIn(planned.id, enabled.get(host.name) === false) };
    }
    if (planned.isContinued !== true || host.work?.sessionId !== planned.id) return host;
    return { ...host, work: asContinued(host.work) };
  });
  return { ...fleet, hosts };
};

/** As it would be if its session, which has failed, went on now. */
const asContinued = (work: HostWork): HostWork => workAfter(work, stepOfHost(work, { kind: 'continue' }));

const waitingIn = (sessionId: string, disabledBefore: boolean): NonNullable<Host['work']> => ({
  sessionId,
  phase: 'waiting',
  disabled: false,
  disabledBefore,
  announced: false,
  releases: 0,
});

interface Sessions {
  readonly played: readonly SessionInPlan[];
  /** The fleet as all sessions in the plan see it, with the replies of projects so far. */
  readonly seen: (fleet: Fleet) => Fleet;
}

interface SessionsToRead {
  readonly planned: SessionToPlan;
  readonly unfinished: readonly SessionProgress[];
  readonly facts: FleetFacts;
  readonly terms: PlanTerms;
  readonly now: Date;
}

const sessionsIn = async (tx: Transaction, reading: SessionsToRead): Promise<Sessions> => {
  const { planned, unfinished, facts, terms } = reading;
  const others = unfinished.filter((one) => one.id !== planned.id && goesOn(one));
  const played: SessionInPlan[] = [];
  const answered: (ViewOfInstance | undefined)[] = [];
  const quiet = new Set([planned, ...others].filter(asksOnlyTheWilling).map(({ id }) => id));
  for (const session of [planned, ...others]) {
    const about = { ...facts, session };
    const isByInstance = asksInstances(session);
    const ready = isByInstance ? undefined : await readyInstances(tx, about);
    if (isByInstance) answered.push(await withoutExpiredQuestions(tx, about));
    played.push({ ...asPlayed(session, terms), ...(ready && { ready }) });
  }
  return {
    played,
    seen: (fleet) => {
      const ofQuiet = fleet.hosts.flatMap(({ name, work }) => (work && quiet.has(work.sessionId) ? [name] : []));
      const quietHosts = new Set(ofQuiet);
      const see = withoutAWord(fleet.groups);
      return seenThrough(fleet, [...answered, (one) => (quietHosts.has(one.host) ? see(one) : one)]);
    },
  };
};

/** A session that has failed, is paused or is being ended works on nothing. */
const goesOn = ({ state, pausedAt, stopping, abortRequestedAt, deleteRequestedAt }: SessionProgress): boolean =>
  state !== 'MAINTENANCE_FAILED' &&
  [pausedAt, stopping, abortRequestedAt, deleteRequestedAt].every((one) => one === null);
