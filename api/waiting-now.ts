/**
 * The reasons for which each host and instance of a session waits at this moment: the reasons that admission noted,
 * with the time that is left by now, and reasons from the records for those that admission did not have to look at.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Waiting } from '../planning/fleet/fleet';
import { isDone } from '../planning/fleet/host-work';
import { onlyOwnAction, resumeReason } from '../planning/limits/reasons';
import { opensReason, windowProblem } from '../planning/rolling/work-in-window';
import type {
  OpenQuestionRecord,
  ProjectAnswerRecord,
  RefusalRecord,
  SessionDetail,
  SessionHostDetail,
} from '../prisma/session/session-detail';
import type { NegotiationLimits } from '../questions/negotiation';
import { waitingWhilePaused } from '../questions/while-paused';
import { isWindowOpen } from '../windows/is-window-open';
import type { NamedDetail } from './name-projects';
import { nameWaiting, type WaitingReason } from './name-waiting';
import { createBodyParser } from './schema-check';
import type { WaitingBody } from './schemas/session-schemas';
import { secondsUntil } from './seconds-until';

/** Waiting reasons that admission wrote (planning/fleet/fleet.ts, Waiting), each with its end. */
const StoredWaitingSchema = Type.Array(
  Type.Object({
    waitingFor: Type.Unsafe<WaitingBody['waiting_for']>({ type: 'string' }),
    who: Type.String(),
    subject: Type.String(),
    subjectId: Type.Optional(Type.String()),
    sinceMs: Type.Optional(Type.Number()),
    because: Type.Optional(Type.String()),
    untilMs: Type.Optional(Type.Number()),
  }),
);
type StoredWaiting = Static<typeof StoredWaitingSchema>[number];

const parseWaiting = createBodyParser(
  StoredWaitingSchema,
  (errors) => new Error(`the waiting reasons of a session are not as admission writes them: ${JSON.stringify(errors)}`),
);

/** The time until a project that has refused is asked again, by the same setting as the worker's. */
export type AskingAgain = Pick<NegotiationLimits, 'nackRetrySeconds'>;

export const waitingNow = (stored: NamedDetail, { nackRetrySeconds }: AskingAgain): WaitingBody[] => {
  return reasonsNow({ ...stored, nackRetrySeconds }).map(nameWaiting(stored));
};

const reasonsNow = (detail: ShownDetail): WaitingReason[] => {
  const { session, moving } = detail;
  if (session.state === 'MAINTENANCE_DONE' || session.state === 'MAINTENANCE_FAILED') return [];
  if (session.pausedAt !== null) return waitingInPause(detail, session.pausedAt);
  const { windowProblem: problem } = session.opening;
  if (problem !== null) return waitingForAll(detail, { reasonFor: (who) => windowProblem(who, problem) });
  const opensAt = opensLater(detail);
  if (opensAt !== undefined) return waitingForWindow(detail, opensAt);
  const noted = notedReasons(session)
    .filter(({ who }) => !moving.has(who))
    .map((reason) => asItIsNow(detail, reason));
  const known = new Set(noted.map(({ who }) => who));
  const reasons = [...noted, ...reasonsOfHosts(detail, known), ...reasonsOfInstances(detail, known)];
  return [...reasons, ...reasonsOfStillHosts(detail, reasons)];
};

/** The reasons that SCALE_IN has noted are about all hosts that wait (`missingNow`). */
const notedReasons = ({ state, waiting }: SessionDetail['session']): StoredWaiting[] =>
  state === 'SCALE_IN' ? [] : parseWaiting(waiting);

/** From the records alone: a pause holds from the moment of the request, even before a worker has looked. */
const waitingInPause = (detail: SessionDetail, pausedAt: Date): WaitingReason[] =>
  waitingForAll(detail, {
    since: pausedAt,
    reasonFor: (who) => resumeReason(who, pausedAt.getTime(), detail.session.pausedBecause),
  });

/** The next opening of a maintenance window; undefined: one is open, or the session waits for something else first. */
const opensLater = ({ session, now }: SessionDetail): Date | undefined => {
  const { steering, opening, state, maintenanceAt } = session;
  if (isWindowOpen({ ...steering, ...opening }, now)) return undefined;
  const closed = opening.windowClosesAt !== null && opening.windowClosesAt <= now;
  const opensAt = (closed ? opening.windowOpensAgainAt : opening.windowOpensAt) ?? undefined;
  return state === 'MAINTENANCE' && opensAt !== undefined && opensAt < maintenanceAt ? undefined : opensAt;
};

/** From the records alone as well. */
const waitingForWindow = (detail: SessionDetail, opensAt: Date): WaitingReason[] =>
  waitingForAll(detail, {
    reasonFor: (who) => opensReason(who, opensAt.getTime(), detail.now.getTime()),
  });

interface Standstill {
  readonly reasonFor: (who: string) => Waiting;
  readonly since?: Date;
}

const waitingForAll = (detail: SessionDetail, { reasonFor, since }: Standstill): WaitingReason[] => {
  const { hosts, instances, openQuestions, begun, now } = detail;
  const waiting = waitingWhilePaused({
    reasonFor,
    nowMs: now.getTime(),
    hosts: hosts.map(({ hostname: name, phase, announcedAt }) => ({ name, phase, isAnnounced: announcedAt !== null })),
    instances: instances.filter(isPresent).map(({ instanceId: id, host }) => ({ id, host })),
    moving: begun,
    questions: openQuestions.flatMap(({ hostname, projectId, instanceIds, askedAt, replyAt }) => {
      if (hostname === null || !Array.isArray(instanceIds)) return [];
      const times = {
        ...(askedAt && { askedAtMs: askedAt.getTime() }),
        ...(replyAt && { replyAtMs: replyAt.getTime() }),
      };
      return [{ hostname, projectId, instanceIds: instanceIds.map(String), ...times }];
    }),
  });
  return waiting.map(({ waitingFor, remainingMs, ...reason }) =>
    reasonUntil(
      detail,
      { waiting_for: waitingFor, ...reason, ...whatWasAsked(detail, reason.who, since) },
      remainingMs && now.getTime() + remainingMs,
    ),
  );
};

/** For open questions: their start, and why not more was offered. Everything else waits for the resume. */
const whatWasAsked = (
  { openQuestions }: SessionDetail,
  who: string,
  since: Date | undefined,
): Pick<WaitingReason, 'because' | 'since'> => {
  const question = openQuestions.find((one) => isAbout(one, who));
  if (question === undefined) return since === undefined ? {} : { since };
  return { since: question.askedAt ?? question.createdAt, because: whyAskedToAct(question, who) };
};

const reasonUntil = (
  { now }: SessionDetail,
  reason: Omit<WaitingReason, 'remaining_seconds'>,
  untilMs: number | undefined,
): WaitingReason => ({
  ...reason,
  remaining_seconds: untilMs === undefined ? null : (secondsUntil(new Date(untilMs), now) ?? 0),
});

type ShownDetail = SessionDetail & AskingAgain;

const asItIsNow = (detail: ShownDetail, noted: StoredWaiting): WaitingReason => {
  const { waitingFor, who, subject, subjectId, because, sinceMs, untilMs } = noted;
  const since = sinceMs === undefined ? undefined : new Date(sinceMs);
  const reason = { waiting_for: waitingFor, who, subject, subjectId, because, since };
  if (waitingFor !== 'answer') return reasonUntil(detail, reason, untilMs);
  const question = detail.openQuestions.find((one) => isAbout(one, who));
  if (question) {
    const asked = waitsForQuestion(detail, who, question);
    return { ...asked, because: asked.because ?? because };
  }
  const refusal = detail.refusals.find((one) => isAbout(one, who));
  return reasonUntil(detail, reason, untilMs ?? askedAgainMs(detail, refusal));
};

/** Undefined when that time has passed: the records of the next question have the reasons. */
const askedAgainMs = (
  { now, nackRetrySeconds }: ShownDetail,
  refusal: Pick<RefusalRecord, 'answeredAt'> | undefined,
): number | undefined => {
  const untilMs = refusal?.answeredAt && refusal.answeredAt.getTime() + nackRetrySeconds * 1000;
  return untilMs && untilMs > now.getTime() ? untilMs : undefined;
};

const isAbout = ({ instanceId, instanceIds }: OpenQuestionRecord | RefusalRecord, who: string): boolean =>
  instanceId === who || (Array.isArray(instanceIds) && instanceIds.includes(who));

/** Nobody can answer a question before its event is on the bus. */
export const waitsForQuestion = (detail: SessionDetail, who: string, question: OpenQuestionRecord): WaitingReason => {
  const { projectId: subject, createdAt, askedAt, opensBy, replyAt } = question;
  const because = whyAskedToAct(question, who);
  if (askedAt === null) {
    const untaken = opensBy ? { because: 'the webhook of the project has not taken the question' } : {};
    const reason = { waiting_for: 'bus', who, subject, since: createdAt, ...untaken } as const;
    return reasonUntil(detail, reason, opensBy?.getTime());
  }
  return reasonUntil(detail, { waiting_for: 'answer', who, subject, because, since: askedAt }, replyAt?.getTime());
};

/** The question as it was offered, with the reason when the cloud cannot move the instance. */
const whyAskedToAct = ({ cannotMove }: OpenQuestionRecord, who: string): string | undefined => {
  if (typeof cannotMove !== 'object' || cannotMove === null) return undefined;
  const reason: unknown = new Map<string, unknown>(Object.entries(cannotMove)).get(who);
  return typeof reason === 'string' ? onlyOwnAction(reason) : undefined;
};

/**
 * Before hosts are worked on, and while projects are asked to free capacity, all hosts wait for the same. Otherwise
 * each waits for itself, because its turn has not come.
 */
const reasonsOfHosts = (detail: ShownDetail, known: ReadonlySet<string>): WaitingReason[] => {
  const waiting = detail.hosts.filter(({ hostname, phase }) => phase === 'waiting' && !known.has(hostname));
  const [first] = waiting;
  const reason = first && whatAllHostsWaitFor(detail, first.hostname);
  return waiting.map((host) =>
    reason ? { ...reason, who: host.hostname } : waitsForTurnOf(detail, host, host.hostname),
  );
};

/** Since the host entered its present phase. */
const waitsForTurnOf = (
  detail: SessionDetail,
  { hostname, phaseSince: since }: Pick<SessionHostDetail, 'hostname' | 'phaseSince'>,
  who: string,
): WaitingReason => reasonUntil(detail, { waiting_for: 'host', who, subject: hostname, since }, undefined);

/**
 * A host that is being drained, or given back, and on which nothing moves waits for the reason on it that ends first.
 */
const reasonsOfStillHosts = (
  { hosts, instances, moving }: ShownDetail,
  reasons: readonly WaitingReason[],
): WaitingReason[] => {
  const reasonOf = new Map(reasons.map((reason) => [reason.who, reason]));
  const still = hosts.filter(({ hostname, phase }) => isUnderWay(phase) && !reasonOf.has(hostname));
  return still.flatMap(({ hostname }) => {
    const there = instances.filter((instance) => instance.host === hostname && isPresent(instance));
    if (there.some(({ instanceId }) => moving.has(instanceId))) return [];
    const [soonest] = there.flatMap(({ instanceId }) => reasonOf.get(instanceId) ?? []).sort(bySecondsLeft);
    return soonest ? [{ ...soonest, who: hostname }] : [];
  });
};

const isUnderWay = (phase: string): boolean => phase === 'emptying' || phase === 'releasing';

const bySecondsLeft = (one: WaitingReason, other: WaitingReason): number =>
  (one.remaining_seconds ?? Infinity) - (other.remaining_seconds ?? Infinity) || 0;

const whatAllHostsWaitFor = (detail: ShownDetail, who: string): WaitingReason | undefined => {
  const reason = whomAllHostsWaitFor(detail, who);
  const missing = missingNow(detail);
  if (missing === undefined) return reason;
  const { waitingFor: waiting_for, subject, because } = missing;
  const since = missing.sinceMs === undefined ? undefined : new Date(missing.sinceMs);
  return reason
    ? { ...reason, because }
    : reasonUntil(detail, { waiting_for, who, subject, because, since }, undefined);
};

/**
 * In SCALE_IN: the capacity that the last look found missing for the host that needs the least; undefined before the
 * first look.
 */
const missingNow = ({ session, hosts }: SessionDetail): StoredWaiting | undefined => {
  if (session.state !== 'SCALE_IN') return undefined;
  const about = parseWaiting(session.waiting).filter(({ who }) => hosts.some(({ hostname }) => hostname === who));
  return about.find(({ waitingFor, because }) => because !== undefined && ['room', 'affinity'].includes(waitingFor));
};

const whomAllHostsWaitFor = (detail: ShownDetail, who: string): WaitingReason | undefined => {
  const { session, openQuestions, now } = detail;
  const question = openQuestions.find(({ instanceId }) => instanceId === null);
  if (question) return waitsForQuestion(detail, who, question);
  const answer = answerThatHoldsUp(detail);
  if (answer) return waitsForWhatWasAnswered(detail, who, answer);
  if (session.maintenanceAt <= now) return undefined;
  const subject = session.maintenanceAt.toISOString();
  const since = session.createdAt;
  return reasonUntil(detail, { waiting_for: 'time', who, subject, since }, session.maintenanceAt.getTime());
};

/** Asked again after a refusal. Otherwise the session waits for the capacity to which the project agreed. */
const waitsForWhatWasAnswered = (detail: ShownDetail, who: string, given: ProjectAnswerRecord): WaitingReason => {
  const { projectId: subject, answer, answeredAt, replyAt } = given;
  const reason = { who, subject, since: answeredAt ?? undefined };
  return answer === 'NACK'
    ? reasonUntil(detail, { waiting_for: 'answer', ...reason }, askedAgainMs(detail, given))
    : reasonUntil(detail, { waiting_for: 'room', ...reason }, replyAt?.getTime());
};

/**
 * For a project that agreed to scale in and has time left for it, or that refused and will be asked about the whole
 * session again.
 */
const answerThatHoldsUp = (detail: SessionDetail): ProjectAnswerRecord | undefined => {
  const { session, projectAnswers, now } = detail;
  const { state } = session;
  const ofState = projectAnswers.filter((one) => one.state === state);
  if (state === 'SCALE_IN') {
    return ofState.slice(0, 1).find(({ answer, replyAt }) => answer === 'ACK' && replyAt !== null && replyAt > now);
  }
  if (state !== 'MAINTENANCE') return undefined;
  const newest = ofState.filter(({ projectId }, at) => ofState.findIndex((one) => one.projectId === projectId) === at);
  return newest.find(({ projectId, answer }) => answer === 'NACK' && isConcerned(detail, projectId));
};

const isConcerned = ({ instances }: SessionDetail, projectId: string): boolean =>
  instances.some((instance) => instance.projectId === projectId && isPresent(instance));

const isPresent = ({ state }: SessionDetail['instances'][number]): boolean => state !== 'DELETED';

/**
 * An instance waits for the answer when its host's questions were asked after admission noted its reasons. An instance
 * without any other reason waits for its host: to be drained, or to be given back.
 */
const reasonsOfInstances = (detail: SessionDetail, known: ReadonlySet<string>): WaitingReason[] => {
  const { hosts, instances, moving, openQuestions } = detail;
  const questionAbout = firstAbout(openQuestions.filter(({ hostname }) => hostname !== null));
  const toBeEmptied = new Map(hosts.flatMap((host) => (isDone(host) ? [] : [[host.hostname, host]])));
  return instances
    .filter((instance) => isPresent(instance) && !known.has(instance.instanceId) && !moving.has(instance.instanceId))
    .flatMap(({ instanceId, host: hostname }) => {
      const host = toBeEmptied.get(hostname);
      if (host === undefined) return [];
      const question = questionAbout.get(instanceId);
      return [question ? waitsForQuestion(detail, instanceId, question) : waitsForTurnOf(detail, host, instanceId)];
    });
};

/** The first question about each instance. */
const firstAbout = (questions: readonly OpenQuestionRecord[]): ReadonlyMap<string, OpenQuestionRecord> => {
  const about = questions.flatMap((question) => {
    const { instanceId, instanceIds } = question;
    const ids: readonly unknown[] = Array.isArray(instanceIds) ? instanceIds : [];
    return [instanceId, ...ids].flatMap((id) => (typeof id === 'string' ? [[id, question] as const] : []));
  });
  return new Map(about.toReversed());
};
