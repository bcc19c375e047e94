/** The admin's plans of sessions, and the requests to plan others like them: additions to the interface. */
import { type RequestHandler, Router } from 'express';
import type { Database } from '../../prisma/database';
import { parseSessionId } from '../http/path-ids';
import { createBodyParser } from '../http/schema-check';
import { asAdmin } from '../identity/authorization';
import { invalidCreateRequest } from '../problems/problem-catalogue';
import { CreateSessionSchema } from '../schemas/session-schemas';
import { findRequest } from '../services/find-request';
import type { Plans } from '../services/plans';

const parseCreate = createBodyParser(CreateSessionSchema, invalidCreateRequest);

interface PlanRoutesDeps {
  readonly db: Database;
  readonly plans: Plans;
  readonly readBody: readonly RequestHandler[];
}

export const createPlanRoutes = ({ db, plans, readBody }: PlanRoutesDeps): Router => {
  const router = Router();
  router.post('/maintenance/plan', asAdmin, ...readBody, async (req, res) => {
    res.json(await plans.ofRequest(parseCreate(req.body)));
  });
  router.get('/maintenance/:session_id/plan', asAdmin, async (req, res) => {
    res.json(await plans.ofSession(parseSessionId(req.params)));
  });
  router.get('/maintenance/:session_id/request', asAdmin, async (req, res) => {
    res.json(await findRequest(db, parseSessionId(req.params)));
  });
  return router;
};
