/**
 * A question to a project and its possible answer, with the facts for decisions. See negotiation.ts and decide-reply.ts
 * for the decisions.
 */
import type { Action } from '../decisions/fleet/fleet';
import type { ReplyTimes } from '../owner-times/reply-times';
import type { AnswerByTerms } from '../terms/answer-by-terms';

export interface Question {
  readonly id: string;
  readonly projectId: string;
  /** Set for an instance-specific question. */
  readonly instanceId?: string;
  /** The claim of an instance-specific question. */
  readonly claimId?: string;
  /** Set when it is about draining one host. */
  readonly hostname?: string;
  readonly state: string;
  readonly instanceIds: readonly string[];
  readonly allowedActions: readonly Action[];
  /** Reasons by the IDs of the instances that the cloud cannot move; left out: there are none. */
  readonly cannotMove?: Readonly<Record<string, string>>;
  /**
   * open; answered; closed: its window ended without an answer, its host was given back, or its session left the state;
   * unneeded: its instances are gone, so nobody waits for the answer.
   */
  readonly status: 'open' | 'answered' | 'closed' | 'unneeded';
  readonly createdAtMs: number;
  /** Stamped just before its event is sent; undefined until then. */
  readonly replyAtMs?: number;
  readonly actionsAtMs?: number;
  /** The time when its project's own webhook, or else the bus, took its event: the window is open. */
  readonly askedAtMs?: number;
  /** Set when the bus took the event before the project's own webhook: the window opens then at the latest. */
  readonly opensByMs?: number;
  readonly answer?: 'ACK' | 'NACK';
  /** Set where the project's terms gave the answer, and not a reply. */
  readonly answeredBy?: 'terms';
  /** The answer of its project's terms when it was asked: it follows silence. */
  readonly termsAnswer?: AnswerByTerms;
  readonly instanceActions: Readonly<Record<string, Action>>;
  /** The latest time until which its project may put the work off; left out: it may not. */
  readonly notBeforeLatestMs?: number;
  /** The times in its answer: for all of its instances, and for single ones. */
  readonly times?: ReplyTimes;
  readonly answeredAtMs?: number;
  /** Time when the session, or the work on the host, continued after the answer of the question. */
  readonly closedAtMs?: number;
}

/** True when its answer refuses. The refusal of a question whose instances are all gone does not count. */
export const isRefused = ({ status, answer }: Question): boolean => status === 'answered' && answer === 'NACK';

/** True when nothing more is asked about the question's instances: it was accepted, or its window ended in silence. */
export const isSettled = (question: Question): boolean => {
  if (question.status === 'closed') return !isWithdrawn(question);
  return question.status === 'answered' && question.answer === 'ACK';
};

/** Closed before its time, because its host was given back or its session stopped: nobody was silent. */
const isWithdrawn = ({ closedAtMs, replyAtMs }: Question): boolean =>
  closedAtMs !== undefined && (replyAtMs === undefined || closedAtMs < replyAtMs);

/** True when nobody has answered in time, and the project's terms say nothing either. */
export const isSilence = ({ answer, termsAnswer }: Question): boolean =>
  answer === undefined && termsAnswer === undefined;
