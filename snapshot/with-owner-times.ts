/**
 * The times that the owners of instances have set in the sessions of their hosts (rules/owner-times): by their answers,
 * and by the hours and the notice in their terms.
 */
import type { Transaction } from '../prisma/database';
import type { SessionHostRecord } from '../prisma/hosts/session-hosts';
import { findAnswersInTime } from '../prisma/questions/answers-in-time';
import { findFirstTold } from '../prisma/questions/first-told';
import { findFreezes } from '../prisma/session/freezes';
import { findTimesOfSessions, type TimesForOwners } from '../prisma/session/times-for-owners';
import { findTermsOf } from '../prisma/terms/known-terms';
import { findSeenMoves } from '../prisma/times/project-times';
import { type IdKey, keyOf } from '../rules/cloud/id';
import { hoursOf } from '../rules/cloud/terms';
import type { Instance } from '../rules/decisions/fleet/fleet';
import type { ViewOfInstance } from '../rules/decisions/fleet/seen-through';
import { usualTimes } from '../rules/decisions/fleet/usual-times';
import { expectedTimes, nothingSeen } from '../rules/expectations/expected-times';
import type { Freeze } from '../rules/maintenance-windows/freeze';
import { calendarOf } from '../rules/maintenance-windows/session-calendar';
import { answeredTimes } from '../rules/owner-times/answered-times';
import { hoursAhead, noticeEndsAtMs } from '../rules/owner-times/hours-ahead';
import { bothTimes, isPutOff, type OwnerTimes, type TimedByOwner } from '../rules/owner-times/release';
import type { RefusalLimits } from '../rules/questions/after-refusal';
import { type KnownTerms, termsOfInstance } from '../rules/terms/answer-by-terms';
import { toldBy, withToldTerms } from '../rules/terms/told-terms';

/** The settings that the times of owners hang on, by their names there. */
export interface OwnerTimeLimits extends RefusalLimits {
  /** Left out: its default. */
  readonly expectedMoveSeconds?: number;
}

interface OwnerTimesAsked extends OwnerTimeLimits {
  readonly now: Date;
  readonly terms: KnownTerms;
  /** Those of a session that is not there yet, by host; left out: there is none. */
  readonly newTimes?: ReadonlyMap<string, TimesForOwners>;
}

/** The ID of the session that owns a host, by the name of the host. */
type SessionOn = ReadonlyMap<string, string>;

/** Undefined: no owner has set a time. */
export const withOwnerTimes = async (
  tx: Transaction,
  works: readonly Pick<SessionHostRecord, 'hostname' | 'sessionId'>[],
  asked: OwnerTimesAsked,
): Promise<ViewOfInstance | undefined> => {
  const sessionOn = new Map(works.map(({ hostname, sessionId }) => [hostname, sessionId]));
  const answered = await answeredTimesOn(tx, sessionOn, asked);
  const byTerms = await timesByTermsOn(tx, sessionOn, asked);
  if (answered === undefined && byTerms === undefined) return undefined;
  const nowMs = asked.now.getTime();
  return (instance) => {
    const ownerTimes = bothTimes(answered?.(instance), byTerms?.(instance));
    const isTimed = ownerTimes.hours !== undefined || isPutOff({ ownerTimes }, nowMs);
    return isTimed ? { ...instance, ownerTimes } : instance;
  };
};

type TimesOf = (instance: InstanceOnHost) => OwnerTimes | undefined;
type InstanceOnHost = Pick<Instance, 'id' | 'projectId' | 'host' | 'expectedMoveSeconds' | 'defaultAction' | 'terms'>;

const answeredTimesOn = async (
  tx: Transaction,
  sessionOn: SessionOn,
  limits: RefusalLimits,
): Promise<TimesOf | undefined> => {
  const answers = await findAnswersInTime(tx);
  if (answers.size === 0) return undefined;
  const timesOf = new Map([...answers].map(([sessionId, given]) => [sessionId, answeredTimes(given, limits)]));
  return ({ id, host }) => timesOf.get(sessionOn.get(host) ?? '')?.get(keyOf(id));
};

const timesByTermsOn = async (
  tx: Transaction,
  sessionOn: SessionOn,
  { terms, newTimes = new Map<string, TimesForOwners>(), now, ...limits }: OwnerTimesAsked,
): Promise<TimesOf | undefined> => {
  const isNoticed = haveAny(terms, 'notice_seconds');
  if (!isNoticed && !haveAny(terms, 'hours')) return undefined;
  const ids = [...new Set(sessionOn.values())];
  const sessions = await findTimesOfSessions(tx, ids);
  // Nothing else asks for it, and it reads the questions of all these sessions.
  const toldAt = isNoticed ? await findFirstTold(tx, ids) : () => undefined;
  const impactMs = await impactTimes(tx, limits);
  const shared = { terms, freezes: await findFreezes(tx), nowMs: now.getTime() };
  const known = new Map<string, OwnerTimes>();
  return (instance) => {
    const { id, projectId, host } = instance;
    const sessionId = sessionOn.get(host);
    const session = sessions.get(sessionId ?? '') ?? newTimes.get(host);
    if (session === undefined) return undefined;
    // Instances without terms of their own have those of their project, of which there are few.
    const key = [sessionId ?? host, projectId, terms.instances.has(keyOf(id)) ? id : ''].join(' ');
    const toldMs = (toldAt(sessionId, projectId) ?? now).getTime();
    const times = known.get(key) ?? timesFor(instance, { ...shared, session, toldMs });
    known.set(key, times);
    return times.hours === undefined ? times : { ...times, impactMs: impactMs(instance) };
  };
};

const haveAny = ({ projects, instances }: KnownTerms, field: 'hours' | 'notice_seconds'): boolean =>
  [...projects.values(), ...[...instances.values()].flat()].some((terms) => terms[field] !== undefined);

interface TimesAsked {
  readonly terms: KnownTerms;
  readonly session: TimesForOwners;
  readonly freezes: readonly Freeze[];
  readonly nowMs: number;
  /** The time at which the project was first told of the session. */
  readonly toldMs: number;
}

const timesFor = (instance: InstanceOnHost, asked: TimesAsked): OwnerTimes => {
  const { session, freezes, nowMs, toldMs } = asked;
  const terms = termsOfInstance(instance, asked.terms);
  const { ownerHours } = session;
  const windows = hoursOf(terms);
  const calendar = calendarOf(session, freezes);
  const { notice_seconds: noticeSeconds } = terms;
  const hours = windows && hoursAhead({ hours: windows, ownerHours, calendar, noticeSeconds }, nowMs);
  const noticedMs = noticeEndsAtMs(noticeSeconds, ownerHours, toldMs);
  return {
    ...(hours && { hours }),
    ...(noticedMs !== undefined && { notBeforeMs: noticedMs }),
  };
};

const impactTimes = async (
  tx: Transaction,
  { expectedMoveSeconds: moveSeconds = usualTimes.moveSeconds }: OwnerTimeLimits,
): Promise<(instance: InstanceOnHost) => number> => {
  const expected = expectedTimes({ ...nothingSeen, moves: await findSeenMoves(tx) }, { ...usualTimes, moveSeconds });
  return (instance) => 1000 * expected.moveSeconds(instance, instance.defaultAction);
};

interface InstanceToBegin {
  readonly sessionId: string;
  readonly instance: InstanceOnHost;
  /** From shareSession: without them nothing is read. */
  readonly letsPutOff: boolean;
  readonly keepsTerms: boolean;
}

/** The same for one instance in a session, as the records are at the moment. */
export const ownerTimesOf = async (
  tx: Transaction,
  { sessionId, instance, letsPutOff, keepsTerms }: InstanceToBegin,
  limits: OwnerTimeLimits & { readonly now: Date },
): Promise<TimedByOwner> => {
  const sessionOn = new Map([[instance.host, sessionId]]);
  const answered = letsPutOff ? await answeredFor(tx, { sessionId, instanceId: instance.id }, limits) : undefined;
  const terms = keepsTerms || tellsTimes(instance) ? await termsNow(tx, instance) : undefined;
  const byTerms = terms && (await timesByTermsOn(tx, sessionOn, { ...limits, terms }))?.(instance);
  return answered === undefined && byTerms === undefined ? {} : { ownerTimes: bothTimes(answered, byTerms) };
};

/** True where its project tells the cloud when it may be impacted. */
export const tellsTimes = ({ terms }: Pick<Instance, 'terms'>): boolean =>
  [terms?.ofInstance, terms?.ofProject].some((one) => one?.hours !== undefined || one?.notice_seconds !== undefined);

const termsNow = async (tx: Transaction, { id, projectId, terms }: InstanceOnHost): Promise<KnownTerms> =>
  withToldTerms(
    await findTermsOf(tx, { projectIds: [projectId], instanceIds: [id] }),
    toldBy([{ instanceId: id, projectId, terms }]),
  );

const answeredFor = async (
  tx: Transaction,
  { sessionId, instanceId }: { readonly sessionId: string; readonly instanceId: string },
  limits: RefusalLimits,
): Promise<OwnerTimes | undefined> => {
  const answers = (await findAnswersInTime(tx, sessionId)).get(sessionId) ?? [];
  const key: IdKey = keyOf(instanceId);
  return answeredTimes(answers, limits).get(key);
};
