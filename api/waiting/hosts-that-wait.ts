/** The reasons of the session's hosts for which admission has noted none. */
import type { ProjectAnswerRecord, SessionDetail } from '../../prisma/session/session-detail';
import type { WaitingReason } from './name-waiting';
import { missingNow } from './noted-reasons';
import { askedAgainMs, isPresent, reasonUntil, type ShownDetail, waitsForQuestion, waitsForTurnOf } from './reasons';

/**
 * Why hosts wait. All wait for the same before hosts are worked on, and while projects are asked to free capacity.
 * Otherwise each waits for itself, because its turn has not come.
 */
export const reasonsOfHosts = (detail: ShownDetail, known: ReadonlySet<string>): WaitingReason[] => {
  const waiting = detail.hosts.filter(({ hostname, phase }) => phase === 'waiting' && !known.has(hostname));
  const [first] = waiting;
  const reason = first && whatAllHostsWaitFor(detail, first.hostname);
  return waiting.map((host) =>
    reason ? { ...reason, who: host.hostname } : waitsForTurnOf(detail, host, host.hostname),
  );
};

/**
 * A host that is being drained, or given back, and on which nothing moves waits for the reason on it that ends first.
 */
export const reasonsOfStillHosts = (
  { hosts, instances, moving }: ShownDetail,
  reasons: readonly WaitingReason[],
): WaitingReason[] => {
  const reasonOf = new Map(reasons.map((reason) => [reason.who, reason]));
  const still = hosts.filter(({ hostname, phase }) => isUnderWay(phase) && !reasonOf.has(hostname));
  return still.flatMap(({ hostname }) => {
    const there = instances.filter((instance) => instance.host === hostname && isPresent(instance));
    if (there.some(({ instanceId }) => moving.has(instanceId))) return [];
    const [soonest] = there
      .flatMap(({ instanceId }) => reasonOf.get(instanceId) ?? [])
      // The turn of the host has come.
      .filter(({ waiting_for: kind, subject }) => kind !== 'host' || subject !== hostname)
      .sort(bySecondsLeft);
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
 * The answer of a project that agreed to scale in and has time left for it, or that refused and will be asked about the
 * whole session again.
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
