/**
 * GET /v1/questions: the questions that nobody has answered yet, for a project its own. An addition. Projects do not
 * learn the names of hosts here, as they do not from the specification's endpoints for them.
 */
import { Router } from 'express';
import type { Database } from '../../prisma/database';
import { type AwaitedQuestion, findOpenQuestions } from '../../prisma/questions/open-questions';
import { projectOfQuery } from '../http/project-of-query';
import { principalOf } from '../identity/authorization';
import type { QuestionBody } from '../schemas/question-schemas';
import { secondsUntil } from '../showing/seconds-until';

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

interface ShownQuestions {
  readonly baseUrl: string;
  readonly now: Date;
  readonly isForAdmin: boolean;
}

const serialize =
  ({ baseUrl, now, isForAdmin }: ShownQuestions) =>
  ({ id, sessionId, projectId, instanceId, ...question }: AwaitedQuestion): QuestionBody => ({
    question_id: id,
    session_id: sessionId,
    project_id: projectId,
    state: question.state,
    instance_id: instanceId,
    hostname: isForAdmin ? question.hostname : null,
    instance_ids: texts(question.instanceIds),
    allowed_actions: texts(question.allowedActions),
    reply_url: [
      `${baseUrl}/v1/maintenance/${sessionId}/${projectId}`,
      ...(instanceId === null ? [] : [instanceId]),
    ].join('/'),
    reply_at: question.replyAt?.toISOString() ?? null,
    seconds_left: secondsUntil(question.replyAt, now),
  });

export const createQuestionRoutes = ({ db, baseUrl }: { readonly db: Database; readonly baseUrl: string }): Router => {
  const router = Router();
  router.get('/questions', async (req, res) => {
    const { questions, now } = await findOpenQuestions(db, projectOfQuery(req));
    res.json({ questions: questions.map(serialize({ baseUrl, now, isForAdmin: principalOf(req).kind === 'admin' })) });
  });
  return router;
};
