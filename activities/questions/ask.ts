/**
 * One step of a negotiation: closes questions that are over, asks those that are due, and makes sure that they reach
 * the bus.
 */
import { randomUUID } from 'node:crypto';
import type { PlannedNotice } from '../../events/drafts';
import { appendEvents } from '../../events/outbox';
import { databaseNow, type Transaction } from '../../prisma/database';
import { findAnswersByTerms } from '../../prisma/questions/find-answers-by-terms';
import {
  findFirstAsked,
  findProjectQuestions,
  insertQuestions,
  lockProjectQuestions,
  type NewQuestion,
} from '../../prisma/questions/question-rounds';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { keyOf } from '../../rules/cloud/id';
import { latestInAnswer } from '../../rules/owner-times/postpone';
import {
  isOver,
  isToBeOpened,
  isUnpublished,
  negotiate,
  type NegotiationStep,
  type WantedQuestion,
} from '../../rules/questions/negotiation';
import { isSilence, type Question } from '../../rules/questions/question';
import { actsOnSilence, afterLastNack, afterSilence, type ReplyVerdict } from '../../rules/questions/reply-policy';
import { holdBackQuestions } from '../../rules/questions/while-paused';
import { mayBegin, untilOpenMs } from '../../rules/steering/may-begin';
import type { ToldByCloud } from '../../rules/terms/told-terms';
import type { Services } from '../services';
import { answerByTerms, type ServicesForTerms } from './answer-by-terms';
import { closeUnanswered, closeUnneeded } from './end-questions';
import { readWithReplyWindowsOpened } from './open-reply-windows';

export interface Asking {
  readonly session: SessionProgress;
  /** Set when the questions are about draining this host. */
  readonly hostname?: string;
  /** Refusals count from this time. */
  readonly since: Date;
  /** Terms that the cloud tells of projects as a whole; left out: those of its instances are recorded. */
  readonly toldOfProjects?: ToldByCloud['projects'];
  /** The questions that should exist, given the questions so far. */
  readonly wanted: (existing: readonly Question[]) => readonly WantedQuestion[];
}

export interface AskingStep extends NegotiationStep {
  /** Some recorded questions have not reached the bus: publish, then look again. */
  readonly unasked: boolean;
  /** Projects for whose answer the session waits. */
  readonly awaitedProjects: readonly string[];
  /** This step settled a question, or terms answered a new one: the session should plan again. */
  readonly closed: boolean;
  /** A project has refused too often, or has not answered: what follows, by the session's reply_policy. */
  readonly verdict?: ReplyVerdict;
}

export type ServicesToAsk = Pick<Services, 'limits'> & ServicesThatAsk;

type ServicesThatAsk = Pick<Services, 'drafts'> & ServicesForTerms;

/**
 * Asks in the caller's transaction, which holds the session's row. Locks the questions only where it has something to
 * do with them: replies would wait for a look that comes after each of them.
 */
export const ask = async (services: ServicesToAsk, tx: Transaction, asking: Asking): Promise<AskingStep> => {
  const { session } = asking;
  const seen = lookAt(services, asking, {
    existing: await findProjectQuestions(tx, session.id),
    now: await databaseNow(tx),
  });
  return isQuiet(seen) ? seen.step : act(services, tx, asking);
};

/** True where a step would ask something new now. */
export const wouldAsk = async (services: ServicesToAsk, tx: Transaction, asking: Asking): Promise<boolean> => {
  const existing = await findProjectQuestions(tx, asking.session.id);
  return lookAt(services, asking, { existing, now: await databaseNow(tx) }).step.create.length > 0;
};

/** The questions as they are at a time. */
interface QuestionsNow {
  readonly existing: readonly Question[];
  readonly now: Date;
}

interface QuestionLook extends QuestionsNow {
  readonly step: AskingStep;
  /** Questions whose time is over now, and which this look closes. */
  readonly close: readonly Question[];
}

const lookAt = (services: ServicesToAsk, asking: Asking, { existing, now }: QuestionsNow): QuestionLook => {
  const { session, hostname, since, wanted } = asking;
  const nowMs = now.getTime();
  const negotiated = negotiate({
    state: session.state,
    ...(hostname === undefined ? {} : { hostname }),
    wanted: wanted(existing),
    existing,
    sinceMs: since.getTime(),
    ...(session.replyPausedAt !== null && { refusalsAfterMs: session.replyPausedAt.getTime() }),
    nowMs,
    limits: services.limits,
  });
  const isHeldBack = !mayBegin(session, now);
  const step = isHeldBack ? holdBackQuestions(negotiated) : negotiated;
  // A question about another host is closed as well when its time is over: otherwise its project could not be asked.
  const overdue = existing.filter((question) => question.status === 'open' && isOver(question, nowMs));
  const isOfOthers = isClosedByOthers(session, { hostname, isHeldBack });
  const due = existing.filter((question) => step.close.includes(question.id) || overdue.includes(question));
  const close = due.filter((question) => !isOfOthers(question));
  const open = existing.filter(({ id }) => step.open.includes(id));
  return {
    existing,
    now,
    close,
    step: {
      ...step,
      lookAgainMs: Math.min(step.lookAgainMs, untilOpenMs(session, now)),
      unasked: step.create.length > 0 || open.some(isUnpublished),
      awaitedProjects: [...new Set([...open, ...step.create].map(({ projectId }) => projectId))],
      closed: close.length + step.unneeded.length > 0,
      ...verdictOnProjects(services, asking, { refusedBy: step.refusedBy, closed: close }),
    },
  };
};

/** Nothing is to be written, and nothing follows from the answers so far. */
const isQuiet = ({ existing, now, step }: QuestionLook): boolean =>
  !step.closed &&
  !step.settled &&
  step.create.length === 0 &&
  step.verdict === undefined &&
  !existing.some((question) => isToBeOpened(question, now.getTime()));

const act = async (services: ServicesToAsk, tx: Transaction, asking: Asking): Promise<AskingStep> => {
  const { session, hostname, toldOfProjects } = asking;
  const existing = await readWithReplyWindowsOpened(services, tx, () =>
    lockProjectQuestions(tx, { sessionId: session.id }),
  );
  const { step, close } = lookAt(services, asking, { existing, now: await databaseNow(tx) });
  await closeUnanswered(services, tx, idsOf(close));
  await closeUnneeded(services, tx, step.unneeded);
  const questions = step.create.map((question) => newQuestion({ session, hostname, question }));
  const answered = await askAll(services, tx, { session, questions, toldOfProjects });
  return { ...step, closed: step.closed || answered > 0 };
};

const idsOf = (questions: readonly Question[]): string[] => questions.map(({ id }) => id);

/**
 * If `reply_policy` acts on silence, only the workflow of its host closes a question about a host, while the session
 * may begin something.
 */
const isClosedByOthers =
  (
    { replyPolicy }: SessionProgress,
    { hostname, isHeldBack }: { readonly hostname: string | undefined; readonly isHeldBack: boolean },
  ) =>
  (question: Question): boolean =>
    actsOnSilence(replyPolicy) && question.hostname !== undefined && (isHeldBack || question.hostname !== hostname);

interface Heard {
  readonly refusedBy: string | undefined;
  /** Questions whose time is over now. */
  readonly closed: readonly Question[];
}

const verdictOnProjects = (
  services: ServicesToAsk,
  { session, hostname }: Asking,
  { refusedBy, closed }: Heard,
): Pick<AskingStep, 'verdict'> => {
  const { replyPolicy, state } = session;
  if (refusedBy !== undefined) {
    return { verdict: afterLastNack(session, refusalOf(refusedBy, session, services)) };
  }
  const silent = hostname === undefined ? undefined : closed.find((one) => one.hostname === hostname && isSilence(one));
  if (silent === undefined) return {};
  const because = `project ${silent.projectId} did not answer ${state} about host ${silent.hostname ?? ''} in time`;
  const verdict = afterSilence(replyPolicy, because);
  return verdict ? { verdict } : {};
};

const refusalOf = (projectId: string, { state }: SessionProgress, { limits }: Pick<Services, 'limits'>): string =>
  `project ${projectId} answered NACK_${state} ${limits.nackRetries + 1} times`;

/** Looks, and looks again after it has changed something, until only time or an answer can change more. */
export const askUntilQuiet = async <S extends Pick<AskingStep, 'unasked' | 'closed'>>(
  { publisher }: Pick<Services, 'publisher'>,
  sessionId: string,
  look: () => Promise<S>,
): Promise<S & { readonly settledSome: boolean }> => {
  let settledSome = false;
  for (;;) {
    const step = await look();
    settledSome ||= step.closed;
    if (step.unasked) await publisher.publish(sessionId);
    if (!step.unasked && !step.closed) return { ...step, settledSome };
  }
};

interface NewOne {
  readonly session: SessionProgress;
  readonly hostname?: string | undefined;
  readonly question: WantedQuestion;
  readonly toldOfProjects?: Asking['toldOfProjects'] | undefined;
}

const newQuestion = ({ session: { id: sessionId, state }, hostname, question }: NewOne): NewQuestion => ({
  ...question,
  sessionId,
  state,
  messageId: randomUUID(),
  ...(hostname && { hostname }),
});

export const askOne = async (services: ServicesThatAsk, tx: Transaction, one: NewOne): Promise<void> => {
  const { session, toldOfProjects } = one;
  await askAll(services, tx, { session, questions: [newQuestion(one)], toldOfProjects });
};

interface QuestionsToAsk {
  readonly session: SessionProgress;
  readonly questions: readonly NewQuestion[];
  readonly toldOfProjects?: Asking['toldOfProjects'] | undefined;
}

/**
 * Records questions and their events in one transaction, also those that terms answer at once. Their times are stamped
 * when they are published. The claims of the questions are recorded before.
 * @returns the number of questions that terms have answered
 */
export const askAll = async (
  services: ServicesThatAsk,
  tx: Transaction,
  { session, questions, toldOfProjects }: QuestionsToAsk,
): Promise<number> => {
  const { drafts } = services;
  const { metadata } = session;
  if (questions.length === 0) return 0;
  const asked = await withLatestTimes(tx, session, questions);
  const byTerms = await findAnswersByTerms(tx, { ...session, toldOfProjects }, asked);
  await insertQuestions(
    tx,
    asked.map((question) => ({ ...question, termsAnswer: byTerms.get(question.messageId) })),
  );
  const isAnswered = ({ messageId }: NewQuestion): boolean => byTerms.get(messageId)?.atOnce === true;
  const messageIds = asked.filter(isAnswered).map(({ messageId }) => messageId);
  if (messageIds.length > 0) await answerByTerms(services, tx, { messageIds });
  await appendEvents(
    tx,
    asked.map((question) => {
      const notice = { ...question, ...hoursNotKept(session), instanceIds: namedIn(drafts, question), metadata };
      return drafts.planned({ ...notice, ...(isAnswered(question) && { answeredBy: 'terms' }) });
    }),
  );
  return messageIds.length;
};

/** Owners are told, with the reason of the admin, where their hours do not count in the session. */
const hoursNotKept = ({ ownerHours, reason }: SessionProgress): Pick<PlannedNotice, 'ownerHours'> =>
  ownerHours === null || ownerHours.mode === 'keep' ? {} : { ownerHours: { ...ownerHours, because: reason } };

/** Questions about impact that may be put off, each with the latest time for that (rules/owner-times/postpone.ts). */
const withLatestTimes = async (
  tx: Transaction,
  { id, postpone }: SessionProgress,
  questions: readonly NewQuestion[],
): Promise<readonly NewQuestion[]> => {
  if (postpone === null) return questions;
  const projectKeys = [...new Set(questions.map(({ projectId }) => keyOf(projectId)))];
  const firstAsked = await findFirstAsked(tx, id, projectKeys);
  const now = await databaseNow(tx);
  return questions.map((question) => {
    const firstAskedAt = firstAsked.get(keyOf(question.projectId)) ?? now;
    return { ...question, notBeforeLatest: latestInAnswer(postpone, question.state, firstAskedAt) };
  });
};

/**
 * Event data is short: a list is read from its link (specification, Limits 2). SCALE_IN names one instance at most, and
 * COMPLETE none.
 */
const namedIn = (
  drafts: Services['drafts'],
  { sessionId, projectId, instanceId, instanceIds, state }: NewQuestion,
): string | readonly string[] => {
  if (instanceId !== undefined) return [instanceId];
  if (state === 'SCALE_IN') return instanceIds[0] ?? '';
  return instanceIds.length === 0 ? '' : drafts.projectListUrl(sessionId, projectId);
};
