/** The reasons of the session's hosts that their rows tell, and those of questions. */
import type { HostRecord, ProjectAnswerRecord, SessionDetail } from '../../prisma/session/session-detail';
import { endsAtMs, type HostHold, isHeld } from '../../rules/holds/hold';
import type { Reason } from '../../rules/reasons/reason';
import { doubtReason } from '../../rules/steering/held-by-cloud';
import { askedAgainMs, isAboutSession, reasonOfQuestion, type ShownDetail } from './questions-asked';

/**
 * Why hosts wait for which no decision has noted it. All wait for the same before hosts are worked on, and while
 * projects are asked to free capacity. Otherwise each waits for itself, because its turn has not come.
 *
 * @param missing the capacity that the last look in SCALE_IN found missing, by host
 * @returns one for each host, or more where it waits for the answers of several projects
 */
export const reasonsOfHosts = (
  detail: ShownDetail,
  known: ReadonlySet<string>,
  missing: ReadonlyMap<string, Reason>,
): Reason[][] => {
  const shared = waitsOfSession(detail);
  return detail.hosts
    .filter(({ hostname, phase }) => phase === 'waiting' && !known.has(hostname))
    .map((host) => {
      const who = host.hostname;
      const lack = missing.get(who);
      if (shared.length === 0) return [lack ?? reasonOfTurn(host, who)];
      return shared.map((reason) => ({ ...reason, who, because: lack?.because ?? reason.because }));
    });
};

/** Waits for the turn of the host since that entered its present phase. */
export const reasonOfTurn = ({ hostname: subject, phaseSince }: HostRecord, who: string): Reason => ({
  waitingFor: 'host',
  who,
  subject,
  sinceMs: phaseSince.getTime(),
});

/** The answers that the session itself waits for at the end, when no host waits any more. */
export const answersAtTheEnd = ({ session, openQuestions, now }: SessionDetail): Reason[] =>
  session.state !== 'MAINTENANCE_COMPLETE' || session.pausedAt !== null
    ? []
    : openQuestions.filter(isAboutSession).map((question) => reasonOfQuestion(now, session.id, question));

const waitsOfSession = (detail: ShownDetail): readonly Reason[] => {
  const { session, openQuestions, now } = detail;
  const who = session.id;
  const first = openQuestions.find(({ instanceId }) => instanceId === null);
  if (first !== undefined) {
    const questions = isAboutSession(first) ? openQuestions.filter(isAboutSession) : [first];
    return questions.map((question) => reasonOfQuestion(now, who, question));
  }
  const answer = answerThatHoldsUp(detail);
  if (answer !== undefined) return [reasonOfAnswer(detail, who, answer)];
  if (session.maintenanceAt <= now) return [];
  const [startAt, sinceMs] = [session.maintenanceAt, session.createdAt.getTime()];
  return [{ waitingFor: 'time', who, subject: startAt.toISOString(), sinceMs, untilMs: startAt.getTime() }];
};

/** Asked again after a refusal. Otherwise the session waits for the capacity to which the project agreed. */
const reasonOfAnswer = (detail: ShownDetail, who: string, given: ProjectAnswerRecord): Reason => {
  const { projectId: subject, answer, answeredAt, replyAt } = given;
  const about = { who, subject, sinceMs: answeredAt?.getTime() };
  return answer === 'NACK'
    ? { waitingFor: 'answer', ...about, untilMs: askedAgainMs(detail, refusalsLike(detail, given)) }
    : { waitingFor: 'room', ...about, untilMs: replyAt?.getTime() };
};

/** The refusals of the same question, the newest first. */
const refusalsLike = ({ projectAnswers }: SessionDetail, given: ProjectAnswerRecord): readonly ProjectAnswerRecord[] =>
  projectAnswers.filter(
    ({ projectId, state, answer }) => projectId === given.projectId && state === given.state && answer === 'NACK',
  );

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

export const isPresent = ({ state }: SessionDetail['instances'][number]): boolean => state !== 'DELETED';

/**
 * A host that is being drained, or given back, and on which nothing moves waits for the reason on it that ends first.
 */
export const reasonsOfStillHosts = (
  { hosts, instances, moving }: SessionDetail,
  reasons: readonly Reason[],
): Reason[] => {
  const reasonOf = new Map(reasons.map((reason) => [reason.who, reason]));
  const still = hosts.filter(({ hostname, phase }) => isUnderWay(phase) && !reasonOf.has(hostname));
  return still.flatMap(({ hostname }) => {
    const there = instances.filter((instance) => instance.host === hostname && isPresent(instance));
    if (there.some(({ instanceId }) => moving.has(instanceId))) return [];
    const [soonest] = there
      .flatMap(({ instanceId }) => reasonOf.get(instanceId) ?? [])
      // The turn of the host has come.
      .filter(({ waitingFor, subject }) => waitingFor !== 'host' || subject !== hostname)
      .sort((one, other) => (one.untilMs ?? Infinity) - (other.untilMs ?? Infinity) || 0);
    return soonest ? [{ ...soonest, who: hostname }] : [];
  });
};

const isUnderWay = (phase: string): boolean => phase === 'emptying' || phase === 'releasing';

/**
 * The reasons of hosts in maintenance on which no plug-in runs: something may be on them, or they are not up yet. Hosts
 * that are given back wait until the work of their plug-ins has ended.
 */
export const reasonsInMaintenance = (detail: SessionDetail, known: ReadonlySet<string>): Reason[] =>
  detail.hosts
    .filter(({ hostname, phase }) => (phase === 'maintaining' || phase === 'releasing') && !known.has(hostname))
    .flatMap((host) => reasonInMaintenance(detail, host) ?? []);

const reasonOfHold = (hostname: string, hold: HostHold): Reason => {
  const [untilMs, because] = [endsAtMs(hold), hold.task === '' ? undefined : hold.task];
  const until = Number.isFinite(untilMs) ? { untilMs } : {};
  return { waitingFor: 'release', who: hostname, subject: hostname, because, sinceMs: hold.sinceMs, ...until };
};

const reasonInMaintenance = (detail: SessionDetail, host: HostRecord): Reason | undefined => {
  const { hostname, phase, enablingAt, findings, hold } = host;
  const [doubt] = findings?.doubts ?? [];
  if (isHeld(hold)) return reasonOfHold(hostname, hold);
  if (doubt !== undefined) return doubtReason(hostname, doubt);
  if (enablingAt === null || phase !== 'maintaining') return undefined;
  const { hostStartSeconds } = detail.session.steering;
  const sinceMs = enablingAt.getTime();
  const untilMs = hostStartSeconds === null ? undefined : sinceMs + hostStartSeconds * 1000;
  return { waitingFor: 'start', who: hostname, subject: hostname, sinceMs, untilMs };
};
