/** The reasons for waiting that admission noted with the session, as they are now. */
import { type Static, Type } from '@sinclair/typebox';
import type { SessionDetail } from '../../prisma/session/session-detail';
import { createBodyParser } from '../http/schema-check';
import type { WaitingBody } from '../schemas/waiting-schema';
import type { WaitingReason } from './name-waiting';
import { askedAgainMs, isAbout, reasonUntil, type ShownDetail, waitsForQuestion } from './reasons';

/** Waiting reasons that admission wrote (rules/obstacles/waits.ts), each with its end. */
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

/** Not for what is moving by now. What SCALE_IN has noted is about all hosts that wait (`missingNow`). */
export const notedReasons = (detail: ShownDetail): WaitingReason[] => {
  const { session, moving } = detail;
  const noted = session.state === 'SCALE_IN' ? [] : parseWaiting(session.waiting);
  return noted.filter(({ who }) => !moving.has(who)).map((reason) => asItIsNow(detail, reason));
};

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

/**
 * The capacity that the last look in SCALE_IN found missing for the host that needs the least; undefined before the
 * first look.
 */
export const missingNow = ({ session, hosts }: SessionDetail): StoredWaiting | undefined => {
  if (session.state !== 'SCALE_IN') return undefined;
  const about = parseWaiting(session.waiting).filter(({ who }) => hosts.some(({ hostname }) => hostname === who));
  return about.find(({ waitingFor, because }) => because !== undefined && ['room', 'affinity'].includes(waitingFor));
};
