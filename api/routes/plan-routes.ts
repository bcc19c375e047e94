/** The admin's plans of sessions: additions to the interface. */
import { type RequestHandler, Router } from 'express';
import { parseSessionId } from '../http/path-ids';
import { createBodyParser } from '../http/schema-check';
import { asAdmin } from '../identity/authorization';
import { invalidCreateRequest } from '../problems/problem-catalogue';
import { CreateSessionSchema } from '../schemas/session-schemas';
import type { Plans } from '../services/plans';

const parseCreate = createBodyParser(CreateSessionSchema, invalidCreateRequest);

export const createPlanRoutes = ({
  plans,
  readBody,
}: {
  readonly plans: Plans;
  readonly readBody: readonly RequestHandler[];
}): Router => {
  const router = Router();
  router.post('/maintenance/plan', asAdmin, ...readBody, async (req, res) => {
    res.json(await plans.ofRequest(parseCreate(req.body)));
  });
  router.get('/maintenance/:session_id/plan', asAdmin, async (req, res) => {
    res.json(await plans.ofSession(parseSessionId(req.params)));
  });
  return router;
};
