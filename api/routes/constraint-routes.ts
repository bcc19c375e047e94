/** Constraints of instances and groups (specification, Project NFV constraints API). */
import { type RequestHandler, Router } from 'express';
import { parsePathId } from '../http/path-ids';
import { principalOf } from '../identity/authorization';
import {
  parseGroupConstraints,
  parseInstanceConstraints,
  serializeGroupConstraints,
  serializeInstanceConstraints,
} from '../parsing/parse-constraints';
import type { Constraints } from '../services/constraints';
import { storeMany } from './store-many-constraints';

export const createConstraintRoutes = ({
  constraints,
  readBody,
}: {
  readonly constraints: Constraints;
  readonly readBody: readonly RequestHandler[];
}): Router => {
  const router = Router();
  router.get('/instance/:instance_id', async (req, res) => {
    const instanceId = parsePathId(req.params, 'instance_id');
    res.json(serializeInstanceConstraints(await constraints.instance(principalOf(req), instanceId)));
  });
  router.put('/instance/:instance_id', ...readBody, async (req, res) => {
    const instanceId = parsePathId(req.params, 'instance_id');
    await constraints.writeInstance(principalOf(req), parseInstanceConstraints(req.body, instanceId));
    res.status(200).end();
  });
  router.delete('/instance/:instance_id', async (req, res) => {
    await constraints.removeInstance(principalOf(req), parsePathId(req.params, 'instance_id'));
    res.status(200).end();
  });
  router.get('/instance_group/:group_id', async (req, res) => {
    const groupId = parsePathId(req.params, 'group_id');
    res.json(serializeGroupConstraints(await constraints.group(principalOf(req), groupId)));
  });
  router.put('/instance_group/:group_id', ...readBody, async (req, res) => {
    const groupId = parsePathId(req.params, 'group_id');
    await constraints.writeGroup(principalOf(req), parseGroupConstraints(req.body, groupId));
    res.status(200).end();
  });
  router.delete('/instance_group/:group_id', async (req, res) => {
    await constraints.removeGroup(principalOf(req), parsePathId(req.params, 'group_id'));
    res.status(200).end();
  });
  router.put('/constraints', ...readBody, async (req, res) => {
    res.json(await storeMany(constraints, req));
  });
  return router;
};
