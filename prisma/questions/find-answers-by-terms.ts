/** The answers of terms to questions that are asked now, and those of them that a project has refused itself. */
import { keyOf } from '../../rules/cloud/id';
import { type AnswerByTerms, answerByTerms } from '../../rules/terms/answer-by-terms';
import { inHours } from '../../rules/terms/in-hours';
import { type ToldByCloud, withToldTerms } from '../../rules/terms/told-terms';
import { databaseNow, type Queryable } from '../database';
import type { TimesForOwners } from '../session/times-for-owners';
import { findTermsOf } from '../terms/known-terms';
import { findToldTerms } from '../terms/told-terms';
import type { NewQuestion } from './question-rounds';

export interface SessionOfQuestions extends Pick<TimesForOwners, 'ownerHours'> {
  readonly id: string;
  /** Terms that the cloud tells of projects as a whole; left out: none are known. */
  readonly toldOfProjects?: ToldByCloud['projects'] | undefined;
}

/**
 * Finds the answers by the questions' message IDs. A project that has refused the same question itself is asked again:
 * its terms do not overrule it.
 */
export const findAnswersByTerms = async (
  tx: Queryable,
  { id: sessionId, ownerHours, toldOfProjects = new Map() }: SessionOfQuestions,
  questions: readonly NewQuestion[],
): Promise<ReadonlyMap<string, AnswerByTerms>> => {
  const instanceIds = questions.flatMap((one) => one.instanceIds);
  const stored = await findTermsOf(tx, { projectIds: questions.map(({ projectId }) => projectId), instanceIds });
  const told = await findToldTerms(tx, { sessionId, instanceIds });
  const terms = withToldTerms(stored, { ...told, projects: new Map([...told.projects, ...toldOfProjects]) });
  if (terms.projects.size + terms.instances.size === 0) return new Map();
  const isInHours = inHours(ownerHours, (await databaseNow(tx)).getTime());
  const answers = questions.flatMap((question) => {
    const answer = answerByTerms({ ...question, isInHours }, terms);
    return answer === undefined ? [] : [{ question, answer }];
  });
  const refused = await findRefused(
    tx,
    answers.filter(({ answer }) => answer.atOnce).map(({ question }) => question),
  );
  return new Map(
    answers.map(({ question, answer }) => [
      question.messageId,
      refused.has(subjectOf(question)) ? { ...answer, atOnce: false } : answer,
    ]),
  );
};

type Subject = Pick<NewQuestion, 'sessionId' | 'projectId' | 'state'> & {
  readonly instanceId?: string | null | undefined;
  readonly hostname?: string | null | undefined;
};

const subjectOf = ({ projectId, instanceId, state, hostname }: Subject): string =>
  [state, hostname ?? '', keyOf(projectId), instanceId ? keyOf(instanceId) : ''].join(' ');

/** The subjects that projects have refused by a reply in the session of these questions. */
const findRefused = async (tx: Queryable, questions: readonly NewQuestion[]): Promise<ReadonlySet<string>> => {
  const [first] = questions;
  if (first === undefined) return new Set();
  const refused = await tx.question.findMany({
    where: {
      sessionId: first.sessionId,
      projectKey: { in: [...new Set(questions.map(({ projectId }) => keyOf(projectId)))] },
      answer: 'NACK',
      answeredBy: null,
    },
    select: { sessionId: true, projectId: true, instanceId: true, state: true, hostname: true },
  });
  return new Set(refused.map(subjectOf));
};
