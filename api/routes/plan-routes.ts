/** The admin's plans of sessions: additions to the interface. */
import { type RequestHandler, Router } from 'express';
import { asAdmin } from '../identity/authorization';
import { parseSessionId } from '../path-ids';
import { invalidCreateRequest } from '../problem-catalogue';
import { createBodyParser } from '../schema-check';
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
