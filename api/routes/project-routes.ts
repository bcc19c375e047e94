/** GET /v1/projects/{project_id}: what a project has in sessions, and its constraints. An addition. */
import { Router } from 'express';
import type { GroupConstraints, InstanceConstraints } from '../../prisma/constraints/constraints';
import { findProjectLook } from '../../prisma/constraints/project-look';
import type { Database } from '../../prisma/database';
import { keyOf } from '../../rules/cloud/id';
import { parsePathId } from '../http/path-ids';
import { asProjectOfPath } from '../identity/authorization';
import { serializeGroupConstraints, serializeInstanceConstraints } from '../parsing/parse-constraints';
import type { ProjectBody } from '../schemas/project-schemas';

const isIn =
  (group: GroupConstraints) =>
  ({ groupId }: InstanceConstraints): boolean =>
    keyOf(groupId) === keyOf(group.groupId);

export const createProjectRoutes = (db: Database): Router => {
  const router = Router();
  router.get('/projects/:project_id', asProjectOfPath, async (req, res) => {
    const projectId = parsePathId(req.params, 'project_id');
    const { instances, constraints, groups } = await findProjectLook(db, projectId);
    res.json({
      project_id: projectId.text,
      instances: instances.map((one) => ({
        instance_id: one.instanceId,
        instance_name: one.instanceName,
        session_id: one.sessionId,
        state: one.state,
        action: one.action,
        action_done: one.actionDone,
        project_state: one.projectState,
      })),
      constraints: constraints.map(serializeInstanceConstraints),
      groups: groups.map((group) =>
        serializeGroupConstraints({ group, instanceIds: constraints.filter(isIn(group)).map((one) => one.instanceId) }),
      ),
    } satisfies ProjectBody);
  });
  return router;
};
