/**
 * Decides about a set of questions: which to ask, which to ask again, which to close, and whether all of them are
 * settled. Facts in, data out: the caller writes the rows and calls again when something happened.
 */
import type { Action } from '../decisions/fleet/fleet';
import { untilNextLook } from '../decisions/look-again';
import { countsFor } from './action-by-answer';
import { askedAgainAtMs, isRefusedTooOften, type RefusalLimits } from './after-refusal';
import { isRefused, isSettled, type Question } from './question';

/** A question that should exist. */
export interface WantedQuestion {
  readonly projectId: string;
  /** Set for an instance-specific question. */
  readonly instanceId?: string;
  /** Its instances; empty when it names none (SCALE_IN, MAINTENANCE_COMPLETE). */
  readonly instanceIds: readonly string[];
  readonly windowSeconds: number;
  readonly allowedActions: readonly Action[];
  /** Set when the cloud can move none of the instances: the reasons, by their IDs. */
  readonly cannotMove?: Readonly<Record<string, string>>;
}

export interface NegotiationInput {
  /** The scope: the state in the question and, when it is about draining one host, that host. */
  readonly state: string;
  readonly hostname?: string;
  readonly wanted: readonly WantedQuestion[];
  /** The session's questions: all in the scope, and every open one to a wanted project. */
  readonly existing: readonly Question[];
  /** The time when the state or host was entered, or entered again: refusals count from then on. */
  readonly sinceMs: number;
  /** Refusals up to this time do not count, since the session was paused for them; left out: all count. */
  readonly refusalsAfterMs?: number;
  readonly nowMs: number;
  readonly limits: RefusalLimits;
}

export interface NegotiationStep {
  /** Questions to ask now. */
  readonly create: readonly WantedQuestion[];
  /** IDs of open questions to close now: their windows have ended. */
  readonly close: readonly string[];
  /**
   * IDs of open questions whose windows have not ended and whose instances are gone: nobody waits for them any more.
   */
  readonly unneeded: readonly string[];
  /** IDs of the scope's questions that stay open. */
  readonly open: readonly string[];
  /** Every wanted question is answered or silent. */
  readonly settled: boolean;
  /** The project that has refused too often: the session fails, or what reply-policy.ts says follows. */
  readonly refusedBy?: string;
  /** The time until the next look if nothing happens before. */
  readonly lookAgainMs: number;
}

/** The thing that prevents one wanted question from being settled now. */
type ProjectStanding =
  | { readonly kind: 'settled' }
  | { readonly kind: 'ask'; readonly question: WantedQuestion }
  | { readonly kind: 'open' }
  | { readonly kind: 'pausing'; readonly untilMs: number }
  | { readonly kind: 'refused'; readonly projectId: string };

/** The next step of a negotiation. Repeating it on the same facts gives the same step. */
export const negotiate = (input: NegotiationInput): NegotiationStep => {
  const inScope = input.existing.filter((question) => isInScope(question, input));
  const openOnes = inScope.filter((question) => question.status === 'open');
  const close = openOnes.filter((question) => isOver(question, input.nowMs));
  const inTime = openOnes.filter((question) => !close.includes(question));
  const stayOpen = inTime.filter((question) => isWanted(question, input.wanted));
  const standings = input.wanted.map((wanted) => standingOf(wanted, inScope, input));
  const refused = standings.find((standing) => standing.kind === 'refused');
  return {
    create: refused ? [] : firstOfEachSubject(standings),
    close: close.map((question) => question.id),
    unneeded: inTime.filter((question) => !stayOpen.includes(question)).map((question) => question.id),
    open: stayOpen.map((question) => question.id),
    settled: standings.every((standing) => standing.kind === 'settled'),
    ...(refused && { refusedBy: refused.projectId }),
    lookAgainMs: untilNextLook([...untilReplies(stayOpen, input.nowMs), ...untilRetries(standings, input.nowMs)]),
  };
};

/** A project has one open question at a time: the next one is asked when the first is settled. */
const firstOfEachSubject = (standings: readonly ProjectStanding[]): readonly WantedQuestion[] => {
  const asked = standings.flatMap((standing) => (standing.kind === 'ask' ? [standing.question] : []));
  return asked.filter((question, at) => asked.findIndex((other) => isSameSubject(question, other)) === at);
};

const isInScope = (question: Question, { state, hostname }: NegotiationInput): boolean => {
  return question.state === state && question.hostname === hostname;
};

/** True when the window of an open question has ended. */
export const isOver = (question: Question, nowMs: number): boolean => {
  // Its window is not open before its event is on the bus.
  return question.askedAtMs !== undefined && question.replyAtMs !== undefined && question.replyAtMs <= nowMs;
};

/** True when the bus has not taken its event. Then it must be published. */
export const isUnpublished = ({ askedAtMs, opensByMs }: Question): boolean =>
  askedAtMs === undefined && opensByMs === undefined;

/** The time when its window ends, or opens at the latest; undefined: its event is not on the bus yet. */
export const standsUntilMs = ({ askedAtMs, opensByMs, replyAtMs }: Question): number | undefined =>
  askedAtMs === undefined ? opensByMs : replyAtMs;

/** True when its window has waited for the webhook of its project long enough. */
export const isToBeOpened = ({ askedAtMs, opensByMs }: Question, nowMs: number): boolean =>
  askedAtMs === undefined && opensByMs !== undefined && opensByMs <= nowMs;

const isWanted = (question: Question, wanted: readonly WantedQuestion[]): boolean => {
  return wanted.some((one) => isSameSubject(one, question));
};

const isSameSubject = (wanted: WantedQuestion, question: Pick<Question, 'projectId' | 'instanceId'>): boolean => {
  return wanted.projectId === question.projectId && wanted.instanceId === question.instanceId;
};

const standingOf = (wanted: WantedQuestion, inScope: readonly Question[], input: NegotiationInput): ProjectStanding => {
  const questions = inScope.filter((question) => isSameSubject(wanted, question));
  const uncovered = uncoveredBy(questions.filter(settles).filter(countsFor(wanted, input.sinceMs)), wanted);
  if (uncovered === undefined) return { kind: 'settled' };
  // Also an open question of another scope: a project has one open question at a time.
  if (input.existing.some((question) => question.status === 'open' && isSameSubject(wanted, question))) {
    return { kind: 'open' };
  }
  return askedAgain(uncovered, questions, input);
};

const settles = (question: Question): boolean => {
  // The project is only told to scale back in MAINTENANCE_COMPLETE: a refusal delays nothing.
  return isSettled(question) || (question.state === 'MAINTENANCE_COMPLETE' && question.status === 'answered');
};

/**
 * True when a project has since refused what it had accepted: its settled question must be asked again.
 *
 * @param questions of one state, oldest first
 * @param present the instances that each project has there now; a project without any is not asked
 */
export const isUnsettled = (
  questions: readonly Question[],
  present: ReadonlyMap<string, readonly string[]>,
): boolean => {
  const newest = new Map(questions.map((question) => [question.projectId, question]));
  return [...newest.values()].some(
    (question) => isRefused(question) && !settles(question) && (present.get(question.projectId) ?? []).length > 0,
  );
};

/** The wanted question about those instances that no settled question covers; undefined when all are covered. */
const uncoveredBy = (settled: readonly Question[], wanted: WantedQuestion): WantedQuestion | undefined => {
  if (settled.length === 0) return wanted;
  const covered = new Set(settled.flatMap((question) => question.instanceIds));
  const instanceIds = wanted.instanceIds.filter((id) => !covered.has(id));
  return instanceIds.length === 0 ? undefined : { ...wanted, instanceIds };
};

const askedAgain = (
  wanted: WantedQuestion,
  questions: readonly Question[],
  input: NegotiationInput,
): ProjectStanding => {
  const { sinceMs, refusalsAfterMs = -Infinity, nowMs, limits } = input;
  const refusals = questions.filter(
    (question) =>
      isRefused(question) && (question.answeredAtMs ?? 0) >= sinceMs && (question.answeredAtMs ?? 0) > refusalsAfterMs,
  );
  if (isRefusedTooOften(refusals.length, limits)) return { kind: 'refused', projectId: wanted.projectId };
  if (refusals.length === 0) return { kind: 'ask', question: wanted };
  const refusedAtMs = Math.max(...refusals.map(({ answeredAtMs = 0 }) => answeredAtMs));
  const latestMs = refusals.at(-1)?.notBeforeLatestMs;
  const untilMs = askedAgainAtMs({ refusedAtMs, refusals: refusals.length, latestMs }, limits);
  return untilMs > nowMs ? { kind: 'pausing', untilMs } : { kind: 'ask', question: wanted };
};

const untilReplies = (open: readonly Question[], nowMs: number): number[] => {
  return open.flatMap((question) => {
    const untilMs = standsUntilMs(question);
    return untilMs === undefined ? [] : [untilMs - nowMs];
  });
};

const untilRetries = (standings: readonly ProjectStanding[], nowMs: number): number[] => {
  return standings.flatMap((standing) => (standing.kind === 'pausing' ? [standing.untilMs - nowMs] : []));
};
