/**
 * GET /v1/projects/{project_id}/coming, and …/instances/{instance_id}/coming: what is coming for the instances of a
 * project, and when. An addition to the interface.
 */
import { Router } from 'express';
import { parsePathId } from '../http/path-ids';
import { asProjectOfPath } from '../identity/authorization';
import type { ComingOf } from '../services/coming';

export const createComingRoutes = (coming: ComingOf): Router => {
  const router = Router();
  router.get('/projects/:project_id/coming', asProjectOfPath, async (req, res) => {
    res.json(await coming(parsePathId(req.params, 'project_id')));
  });
  router.get('/projects/:project_id/instances/:instance_id/coming', asProjectOfPath, async (req, res) => {
    res.json(await coming(parsePathId(req.params, 'project_id'), parsePathId(req.params, 'instance_id')));
  });
  return router;
};
