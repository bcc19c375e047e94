/**
 * One step of a negotiation: closes questions that are over, asks those that are due, and makes sure that they reach
 * the bus.
 */
import { randomUUID } from 'node:crypto';
import { appendEvents } from '../../events/outbox';
import { isOver, negotiate, type NegotiationStep, type WantedQuestion } from '../../planning/questions/negotiation';
import { holdBackQuestions } from '../../planning/questions/paused';
import type { Question } from '../../planning/questions/question';
import { databaseNow, type Transaction } from '../../prisma/database';
import { insertQuestions, lockProjectQuestions, type NewQuestion } from '../../prisma/questions/question-rounds';
import { mayBegin, type SessionProgress } from '../../prisma/session/session-progress';
import type { Services } from '../services';
import { closeUnanswered, closeUnneeded } from './end-questions';

export interface Asking {
  readonly session: SessionProgress;
  /** Set when the questions are about draining this host. */
  readonly hostname?: string;
  /** Refusals count from this time. */
  readonly since: Date;
  /** The questions that should exist, given the questions so far. */
  readonly wanted: (existing: readonly Question[]) => readonly WantedQuestion[];
}

export interface AskingStep extends NegotiationStep {
  /** Some recorded questions have not reached the bus: publish, then look again. */
  readonly unasked: boolean;
  /** Projects for whose answer the session waits. */
  readonly awaitedProjects: readonly string[];
  /** This step settled a question: the session should plan again. */
  readonly closed: boolean;
  /** A project has refused too often: the session fails with this text. */
  readonly refusal?: string;
}

/** In the caller's transaction, which holds the session's row. */
export const ask = async (services: Services, tx: Transaction, asking: Asking): Promise<AskingStep> => {
  const { session, hostname, since, wanted } = asking;
  const existing = await lockProjectQuestions(tx, { sessionId: session.id });
  const now = await databaseNow(tx);
  const nowMs = now.getTime();
  const negotiated = negotiate({
    state: session.state,
    ...(hostname === undefined ? {} : { hostname }),
    wanted: wanted(existing),
    existing,
    sinceMs: since.getTime(),
    nowMs,
    limits: services.limits,
  });
  const step = mayBegin(session, now) ? negotiated : holdBackQuestions(negotiated);
  // A question about another host is closed as well when its time is over: otherwise its project could not be asked.
  const overdue = existing.filter((question) => question.status === 'open' && isOver(question, nowMs));
  const close = [...new Set([...step.close, ...overdue.map(({ id }) => id)])];
  await closeUnanswered(services, tx, close);
  await closeUnneeded(services, tx, step.unneeded);
  for (const question of step.create) await askOne(services, tx, { session, hostname, question });
  const open = existing.filter(({ id }) => step.open.includes(id));
  return {
    ...step,
    unasked: step.create.length > 0 || open.some(({ askedAtMs }) => askedAtMs === undefined),
    awaitedProjects: [...new Set([...open, ...step.create].map(({ projectId }) => projectId))],
    closed: close.length + step.unneeded.length > 0,
    ...(step.refusedBy && { refusal: refusalOf(step.refusedBy, session, services) }),
  };
};

const refusalOf = (projectId: string, { state }: SessionProgress, { limits }: Pick<Services, 'limits'>): string =>
  `project ${projectId} answered NACK_${state} ${limits.nackRetries + 1} times; settle with its manager, then resume`;

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
}

export const askOne = async (
  services: Pick<Services, 'drafts'>,
  tx: Transaction,
  { session, hostname, question }: NewOne,
): Promise<void> => {
  const { id: sessionId, state } = session;
  const messageId = randomUUID();
  const asked = { ...question, sessionId, state, messageId, ...(hostname && { hostname }) };
  await askAll(services, tx, { session, questions: [asked] });
};

/** Records questions and their events in one transaction. Their times are stamped when they are published. */
export const askAll = async (
  { drafts }: Pick<Services, 'drafts'>,
  tx: Transaction,
  { session, questions }: { readonly session: SessionProgress; readonly questions: readonly NewQuestion[] },
): Promise<void> => {
  const { metadata } = session;
  if (questions.length === 0) return;
  await insertQuestions(tx, questions);
  const notices = questions.map((question) => ({ ...question, instanceIds: namedIn(drafts, question), metadata }));
  await appendEvents(
    tx,
    notices.map((notice) => drafts.planned(notice)),
  );
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
