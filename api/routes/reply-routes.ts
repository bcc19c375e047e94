/** A project's endpoints in a session: its instances, its replies (specification, Project workflow session API). */
import { type RequestHandler, type Response, Router } from 'express';
import { idOf } from '../../rules/cloud/id';
import { parsePathId, parseSessionId } from '../http/path-ids';
import { asProjectOfPath } from '../identity/authorization';
import { parseInstanceReply, parseProjectReply } from '../parsing/parse-replies';
import type { ReplyNoteBody } from '../schemas/reply-schemas';
import type { Replies } from '../services/replies';

const parseTarget = (params: Readonly<Record<string, unknown>>) => ({
  sessionId: parseSessionId(params),
  projectId: parsePathId(params, 'project_id'),
});

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
    answer(res, await replies.take(target, parseProjectReply(req.body, path)));
  });
  router.put('/maintenance/:session_id/:project_id/:instance_id', asProjectOfPath, ...readBody, async (req, res) => {
    const target = parseTarget(req.params);
    const instanceId = parsePathId(req.params, 'instance_id');
    const path = { session_id: idOf(target.sessionId), project_id: target.projectId, instance_id: instanceId };
    answer(res, await replies.take(target, parseInstanceReply(req.body, path)));
  });
  return router;
};
