/** A project's endpoints in a session: its instances, its replies (specification, Project workflow session API). */
import { type RequestHandler, type Response, Router } from 'express';
import { idOf } from '../../rules/cloud/id';
import { lastTimeIn } from '../../rules/owner-times/beyond-deadline';
import type { Reply } from '../../rules/questions/reply';
import { parsePathId, parseSessionId } from '../http/path-ids';
import { asProjectOfPath } from '../identity/authorization';
import { parseInstanceReply, parseProjectReply } from '../parsing/parse-replies';
import type { ReplyNoteBody } from '../schemas/reply-schemas';
import { auditDetails } from '../services/audit';
import type { Replies } from '../services/replies';

const parseTarget = (params: Readonly<Record<string, unknown>>) => ({
  sessionId: parseSessionId(params),
  projectId: parsePathId(params, 'project_id'),
});

/** The answer with the actions and times that it chooses, for the audit. */
const inWords = ({ answer: word, state, instanceActions, instanceAction, times }: Reply): string => {
  const actions = new Set([
    ...Object.values(instanceActions),
    ...(instanceAction === undefined ? [] : [instanceAction]),
  ]);
  const latest = lastTimeIn(times);
  return [
    `${word}_${state}`,
    ...(actions.size === 0 ? [] : [`by ${[...actions].join(', ')}`]),
    ...(latest === undefined ? [] : [`not before ${latest.toISOString()}`]),
  ].join(', ');
};

/** The specification has no body here: only a warning is one. */
const answer = (res: Response, note: ReplyNoteBody | undefined): void => {
  if (note === undefined) res.status(200).end();
  else res.json(note);
};

export const createReplyRoutes = ({
  replies,
  readBody,
}: {
  readonly replies: Replies;
  readonly readBody: readonly RequestHandler[];
}): Router => {
  const router = Router();
  router.get('/maintenance/:session_id/:project_id', asProjectOfPath, async (req, res) => {
    res.json({ instance_ids: await replies.instanceIds(parseTarget(req.params)) });
  });
  router.put('/maintenance/:session_id/:project_id', asProjectOfPath, ...readBody, async (req, res) => {
    const target = parseTarget(req.params);
    const path = { session_id: idOf(target.sessionId), project_id: target.projectId };
    const reply = parseProjectReply(req.body, path);
    auditDetails(req, inWords(reply));
    answer(res, await replies.take(target, reply));
  });
  router.put('/maintenance/:session_id/:project_id/:instance_id', asProjectOfPath, ...readBody, async (req, res) => {
    const target = parseTarget(req.params);
    const instanceId = parsePathId(req.params, 'instance_id');
    const path = { session_id: idOf(target.sessionId), project_id: target.projectId, instance_id: instanceId };
    const reply = parseInstanceReply(req.body, path);
    auditDetails(req, inWords(reply));
    answer(res, await replies.take(target, reply));
  });
  return router;
};
