/**
 * GET /v1/questions: the questions that nobody has answered yet, or all of a session; for a project its own. An
 * addition. Projects do not learn the names of hosts here, as they do not from the specification's endpoints for them.
 */
import { type Request, Router } from 'express';
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import {
  type AwaitedQuestion,
  findInstancesAskedAbout,
  findOpenQuestions,
  findQuestionsOfSession,
  findRepliers,
  firstOf,
  type InstanceAskedAbout,
  type QuestionToShow,
} from '../../prisma/questions/open-questions';
import { isDashedUuid, keyOf } from '../../rules/cloud/id';
import { deadlineBefore } from '../../rules/owner-times/beyond-deadline';
import { projectOfQuery } from '../http/project-of-query';
import { principalOf } from '../identity/authorization';
import { invalidQuery } from '../problems/problem-catalogue';
import type { QuestionBody } from '../schemas/question-schemas';
import { contactsOf } from '../showing/name-contacts';
import { projectNamesIn } from '../showing/name-projects';
import { secondsUntil } from '../showing/seconds-until';

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

interface ShownQuestions {
  readonly baseUrl: string;
  readonly now: Date;
  readonly isForAdmin: boolean;
  /** The keys are those of the session and of the instance. */
  readonly instances: ReadonlyMap<string, InstanceAskedAbout>;
  readonly projectNames: ReadonlyMap<string, string>;
  readonly contactOf: Awaited<ReturnType<typeof contactsOf>>;
  /** The callers who have replied, by the IDs of the questions; undefined: only open ones are shown. */
  readonly repliers: ReadonlyMap<string, string> | undefined;
}

const keyIn = (sessionId: string, instanceId: string): string => `${sessionId} ${keyOf(instanceId)}`;

const serialize =
  ({ baseUrl, now, isForAdmin, instances, projectNames, contactOf, repliers }: ShownQuestions) =>
  ({ id, sessionId, projectId, instanceId, ...question }: QuestionToShow): QuestionBody => ({
    question_id: id,
    session_id: sessionId,
    project_id: projectId,
    project_name: projectNames.get(projectId) ?? null,
    ...(isForAdmin && contactOf(projectId)),
    state: question.state,
    instance_id: instanceId,
    hostname: isForAdmin ? question.hostname : null,
    instance_ids: texts(question.instanceIds),
    instances: firstOf(question.instanceIds).flatMap((id) => {
      const known = instances.get(keyIn(sessionId, id));
      if (known === undefined) return [];
      return { instance_id: id, instance_name: known.instanceName, host: isForAdmin ? known.host : null };
    }),
    allowed_actions: texts(question.allowedActions),
    reply_url: [
      `${baseUrl}/v1/maintenance/${sessionId}/${projectId}`,
      ...(instanceId === null ? [] : [instanceId]),
    ].join('/'),
    reply_at: question.replyAt?.toISOString() ?? null,
    ...timesOf(question),
    seconds_left: secondsUntil(question.replyAt, now),
    ...(repliers && { settled: settledBy(question, repliers.get(id)) }),
  });

type Settling = Pick<QuestionToShow, 'status' | 'answer' | 'answeredBy' | 'answeredAt' | 'closedAt'>;

const settledBy = (
  { status, answer, answeredBy, answeredAt, closedAt }: Settling,
  who: string | undefined,
): NonNullable<QuestionBody['settled']> | null => {
  if (status === 'open') return null;
  const at = (answeredAt ?? closedAt)?.toISOString() ?? null;
  if (answer !== 'ACK' && answer !== 'NACK') return { answer: null, by: 'nobody', who: null, at };
  return { answer, by: answeredBy === 'terms' ? 'terms' : 'reply', who: who ?? null, at };
};

const timesOf = ({ notBeforeLatest, session: { deadline } }: Pick<AwaitedQuestion, 'notBeforeLatest' | 'session'>) => ({
  not_before_latest: notBeforeLatest?.toISOString() ?? null,
  deadline: deadlineBefore(deadline, notBeforeLatest ?? undefined)?.toISOString() ?? null,
});

const projectIdsOf = (questions: readonly AwaitedQuestion[]): string[] => questions.map(({ projectId }) => projectId);

/** @throws ApiError 400 */
const sessionOfQuery = ({ query: { session_id: id } }: Request): string | undefined => {
  if (id === undefined || (typeof id === 'string' && isDashedUuid(id))) return id;
  throw invalidQuery([{ pointer: '#query/session_id', message: 'must be a UUID with dashes' }]);
};

export interface QuestionRoutes {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly baseUrl: string;
}

export const createQuestionRoutes = ({ db, cloud, baseUrl }: QuestionRoutes): Router => {
  const router = Router();
  router.get('/questions', async (req, res) => {
    const projectId = projectOfQuery(req);
    const sessionId = sessionOfQuery(req);
    const { questions, now } = await (sessionId === undefined
      ? findOpenQuestions(db, projectId)
      : findQuestionsOfSession(db, projectId, sessionId));
    const found = await findInstancesAskedAbout(db, questions);
    const shown = serialize({
      baseUrl,
      now,
      isForAdmin: principalOf(req).kind === 'admin',
      instances: new Map(found.map((one) => [keyIn(one.sessionId, one.instanceId), one])),
      projectNames: await projectNamesIn(cloud, questions),
      contactOf: await contactsOf({ db, cloud }, projectIdsOf(questions)),
      repliers: sessionId === undefined ? undefined : await findRepliers(db, sessionId),
    });
    res.json({ questions: questions.map(shown) });
  });
  return router;
};
