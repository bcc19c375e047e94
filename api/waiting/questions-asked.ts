/** The part of waiting-now.ts about questions and refusals: their rows tell who waits for them, and until when. */
import type { OpenQuestionRecord, RefusalRecord, SessionDetail } from '../../prisma/session/session-detail';
import { onlyOwnAction } from '../../rules/obstacles/immovable';
import { askedAgainAtMs, type RefusalLimits } from '../../rules/questions/after-refusal';
import type { Reason } from '../../rules/reasons/reason';

/** When a project that has refused is asked again, by the same settings as the worker's. */
export type AskingAgain = RefusalLimits;

export type ShownDetail = SessionDetail & AskingAgain;

/** Nobody can answer a question before its event is on the bus, or after its time. */
export const reasonOfQuestion = (now: Date, who: string, question: OpenQuestionRecord): Reason => {
  const { projectId: subject, createdAt, askedAt, opensBy, replyAt } = question;
  if (askedAt === null) {
    const because = opensBy ? 'the webhook of the project has not taken the question' : undefined;
    return { waitingFor: 'bus', who, subject, sinceMs: createdAt.getTime(), because, untilMs: opensBy?.getTime() };
  }
  const because = whyAskedToAct(question, who);
  const untilMs = replyAt?.getTime();
  return isOver(question, now)
    ? { waitingFor: 'service', who, subject, because, sinceMs: untilMs }
    : { waitingFor: 'answer', who, subject, because, sinceMs: askedAt.getTime(), untilMs };
};

/** The project can answer no more: what follows from its silence is for the service to do. */
export const isOver = ({ replyAt }: OpenQuestionRecord, now: Date): boolean => replyAt !== null && replyAt <= now;

/** The question as it was offered, with the reason when the cloud cannot move the instance. */
const whyAskedToAct = ({ cannotMove }: OpenQuestionRecord, who: string): string | undefined => {
  if (typeof cannotMove !== 'object' || cannotMove === null) return undefined;
  const reason: unknown = new Map<string, unknown>(Object.entries(cannotMove)).get(who);
  return typeof reason === 'string' ? onlyOwnAction(reason) : undefined;
};

/**
 * Undefined when that time has passed: the records of the next question have the reasons.
 *
 * @param refusals of the same question, the newest first
 */
export const askedAgainMs = (
  { now, ...limits }: ShownDetail,
  refusals: readonly Pick<RefusalRecord, 'answeredAt' | 'notBeforeLatest'>[],
): number | undefined => {
  const [last] = refusals;
  if (!last?.answeredAt) return undefined;
  const [refusedAtMs, latestMs] = [last.answeredAt.getTime(), last.notBeforeLatest?.getTime()];
  const untilMs = askedAgainAtMs({ refusedAtMs, refusals: refusals.length, latestMs }, limits);
  return untilMs > now.getTime() ? untilMs : undefined;
};

export const isAbout = ({ instanceId, instanceIds }: OpenQuestionRecord | RefusalRecord, who: string): boolean =>
  instanceId === who || (Array.isArray(instanceIds) && instanceIds.includes(who));

export const isAboutSession = ({ instanceId, hostname }: OpenQuestionRecord): boolean =>
  instanceId === null && hostname === null;

/** The first open question about each instance on its host. */
export const questionByInstance = ({ openQuestions }: SessionDetail): ReadonlyMap<string, OpenQuestionRecord> => {
  const about = openQuestions.flatMap((question) => {
    const { instanceId, hostname, instanceIds } = question;
    const ids: readonly unknown[] = Array.isArray(instanceIds) ? instanceIds : [];
    const subjects = hostname === null ? [] : [instanceId, ...ids];
    return subjects.flatMap((id) => (typeof id === 'string' ? [[id, question] as const] : []));
  });
  return new Map(about.toReversed());
};
