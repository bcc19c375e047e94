/** The endpoints by which people plan sessions before there are any: additions to the interface. */
import { ChoicesSchema } from '../schemas/choice-schemas';
import { PlanSchema } from '../schemas/plan-schemas';
import { CreateSessionSchema } from '../schemas/session-schemas';
import { body, type Operation } from './documented-endpoint';

export const planOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/maintenance/plan',
    id: 'planSession',
    summary: 'Plan a session without creating it: what would happen, and what stands in the way. An addition',
    tag: 'Sessions',
    access: 'admin',
    request: body('CreateSession', CreateSessionSchema),
    response: body('Plan', PlanSchema),
    errors: [400, 422, 500],
  },
  {
    method: 'get',
    path: '/v1/choices',
    id: 'listChoices',
    summary: 'List what a create request can name: hosts of the cloud, workflows and action plug-ins. An addition',
    tag: 'Sessions',
    access: 'admin',
    query: [{ name: 'instances', description: 'true: also how many instances each host has' }],
    response: body('Choices', ChoicesSchema),
    errors: [400, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/plan',
    id: 'getPlan',
    summary: 'Plan what is left of a session: its end, and what stands in the way now and later. An addition',
    tag: 'Sessions',
    access: 'admin',
    response: body('Plan', PlanSchema),
    errors: [400, 404, 422, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/request',
    id: 'getRequest',
    summary:
      'Get a create request for another session like this one, with all of its hosts; set its maintenance_at before ' +
      'you send it. Times of owners and a deadline that have passed, and ignore_freezes, are left out. An addition',
    tag: 'Sessions',
    access: 'admin',
    response: body('CreateSession', CreateSessionSchema),
    errors: [400, 404, 422, 500],
  },
];
