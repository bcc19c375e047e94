/** The endpoints that show a project what it has in sessions, and what is coming: additions to the interface. */
import { ComingSchema } from '../schemas/coming-schemas';
import { ProjectSchema } from '../schemas/project-schemas';
import { body, type Operation } from './documented-endpoint';

const shared = { method: 'get', tag: 'Projects', access: 'project' } as const;

export const lookOperations: readonly Operation[] = [
  {
    ...shared,
    path: '/v1/projects/{project_id}',
    id: 'getProject',
    summary: 'Get the instances of a project in sessions that are not done, and its constraints. An addition',
    response: body('Project', ProjectSchema),
    errors: [400, 422, 500],
  },
  {
    ...shared,
    path: '/v1/projects/{project_id}/coming',
    id: 'getComing',
    summary: 'Get what is coming for the instances of a project in sessions, and when it is expected. An addition',
    response: body('Coming', ComingSchema),
    errors: [400, 500],
  },
  {
    ...shared,
    path: '/v1/projects/{project_id}/instances/{instance_id}/coming',
    id: 'getComingOfInstance',
    summary: 'Get the same for one instance; the list is empty where nothing is coming. An addition',
    response: body('Coming', ComingSchema),
    errors: [400, 500],
  },
];
