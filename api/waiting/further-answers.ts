/** Projects that are asked about a whole session beside the one that `waitingNow` names: hosts wait for all of them. */
import type { OpenQuestionRecord } from '../../prisma/session/session-detail';
import type { WaitingBody } from '../schemas/waiting-schema';
import type { NamedDetail } from '../showing/name-projects';
import { nameWaiting } from './name-waiting';
import { waitsForQuestion } from './reasons';

const isAboutSession = ({ instanceId, hostname }: OpenQuestionRecord): boolean =>
  instanceId === null && hostname === null;

/**
 * The answers that the session itself waits for at the end, when no host waits any more. @returns with the session's ID
 * as who waits
 */
export const answersAtTheEnd = (detail: NamedDetail): WaitingBody[] => {
  const { session, openQuestions } = detail;
  if (session.state !== 'MAINTENANCE_COMPLETE' || session.pausedAt !== null) return [];
  const questions = openQuestions.filter(isAboutSession);
  return questions.map((question) => waitsForQuestion(detail, session.id, question)).map(nameWaiting(detail));
};

/** @param reasons those of `waitingNow`, one for each host */
export const furtherAnswers = (detail: NamedDetail, reasons: readonly WaitingBody[]): WaitingBody[] => {
  const questions = detail.openQuestions.filter(isAboutSession);
  if (questions.length < 2) return [];
  const asked = new Set(questions.map(({ projectId }) => projectId));
  const hostnames = new Set(detail.hosts.map(({ hostname }) => hostname));
  const nameOne = nameWaiting(detail);
  return reasons
    .filter(({ waiting_for: kind, who }) => (kind === 'answer' || kind === 'service') && hostnames.has(who))
    .filter(({ subject }) => asked.has(subject))
    .flatMap(({ who, subject }) =>
      questions
        .filter(({ projectId }) => projectId !== subject)
        .map((question) => nameOne(waitsForQuestion(detail, who, question))),
    );
};
