/**
 * The parts of waiting-now.ts: one reason for waiting, from the records of a question, of a refusal, or of a host whose
 * turn has not come.
 */
import type {
  OpenQuestionRecord,
  RefusalRecord,
  SessionDetail,
  SessionHostDetail,
} from '../../prisma/session/session-detail';
import { onlyOwnAction } from '../../rules/obstacles/immovable';
import { askedAgainAtMs, type RefusalLimits } from '../../rules/questions/after-refusal';
import { secondsUntil } from '../showing/seconds-until';
import type { WaitingReason } from './name-waiting';

/** The time until a project that has refused is asked again, by the same setting as the worker's. */
export type AskingAgain = Pick<RefusalLimits, 'nackRetrySeconds'>;

export type ShownDetail = SessionDetail & AskingAgain;

export const reasonUntil = (
  { now }: SessionDetail,
  reason: Omit<WaitingReason, 'remaining_seconds'>,
  untilMs: number | undefined,
): WaitingReason => ({
  ...reason,
  remaining_seconds: untilMs === undefined ? null : (secondsUntil(new Date(untilMs), now) ?? 0),
});

/** Nobody can answer a question before its event is on the bus. */
export const waitsForQuestion = (detail: SessionDetail, who: string, question: OpenQuestionRecord): WaitingReason => {
  const { projectId: subject, createdAt, askedAt, opensBy, replyAt } = question;
  const because = whyAskedToAct(question, who);
  if (askedAt === null) {
    const untaken = opensBy ? { because: 'the webhook of the project has not taken the question' } : {};
    const reason = { waiting_for: 'bus', who, subject, since: createdAt, ...untaken } as const;
    return reasonUntil(detail, reason, opensBy?.getTime());
  }
  // The project can answer no more: what follows from its silence is for the service to do.
  if (replyAt !== null && replyAt <= detail.now) {
    return reasonUntil(detail, { waiting_for: 'service', who, subject, because, since: replyAt }, undefined);
  }
  return reasonUntil(detail, { waiting_for: 'answer', who, subject, because, since: askedAt }, replyAt?.getTime());
};

/** The question as it was offered, with the reason when the cloud cannot move the instance. */
export const whyAskedToAct = ({ cannotMove }: OpenQuestionRecord, who: string): string | undefined => {
  if (typeof cannotMove !== 'object' || cannotMove === null) return undefined;
  const reason: unknown = new Map<string, unknown>(Object.entries(cannotMove)).get(who);
  return typeof reason === 'string' ? onlyOwnAction(reason) : undefined;
};

/** Undefined when that time has passed: the records of the next question have the reasons. */
export const askedAgainMs = (
  { now, nackRetrySeconds }: ShownDetail,
  refusal: Pick<RefusalRecord, 'answeredAt'> | undefined,
): number | undefined => {
  const untilMs = refusal?.answeredAt && askedAgainAtMs(refusal.answeredAt.getTime(), { nackRetrySeconds });
  return untilMs && untilMs > now.getTime() ? untilMs : undefined;
};

export const isAbout = ({ instanceId, instanceIds }: OpenQuestionRecord | RefusalRecord, who: string): boolean =>
  instanceId === who || (Array.isArray(instanceIds) && instanceIds.includes(who));

/** Waits for its turn since it entered its present phase. */
export const waitsForTurnOf = (
  detail: SessionDetail,
  { hostname, phaseSince: since }: Pick<SessionHostDetail, 'hostname' | 'phaseSince'>,
  who: string,
): WaitingReason => reasonUntil(detail, { waiting_for: 'host', who, subject: hostname, since }, undefined);

export const isPresent = ({ state }: SessionDetail['instances'][number]): boolean => state !== 'DELETED';
