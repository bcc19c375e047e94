/**
 * Every endpoint and its documentation: the one table behind /openapi.json, and behind the test that walks all
 * endpoints.
 */
import type { TSchema } from '@sinclair/typebox';
import { GroupConstraintsSchema, GroupRecordSchema, InstanceConstraintsSchema } from '../schemas/constraint-schemas';
import { PlanSchema } from '../schemas/plan-schemas';
import { InstanceReplySchema, ProjectInstancesSchema, ProjectReplySchema } from '../schemas/reply-schemas';
import {
  CreateSessionSchema,
  ResumeSessionSchema,
  SessionCreatedSchema,
  SessionDetailSchema,
  SessionInFlightSchema,
  SessionListSchema,
  SessionRequestSchema,
  SessionResumedSchema,
  SessionStateSchema,
  SteeredHostSchema,
} from '../schemas/session-schemas';
import { ChangeSessionSchema, SessionChangedSchema } from '../schemas/steering-schemas';
import { examples } from './examples';

/** A schema under its name in the document, with an example. */
export interface DocumentedBody {
  readonly name: string;
  readonly schema: TSchema;
  readonly example: unknown;
}

export interface DocumentedHeader {
  readonly name: string;
  readonly description: string;
  readonly maxLength: number;
}

export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly tag: 'Sessions' | 'Projects' | 'Constraints';
  /** project: the project in the path may call it, besides admins. */
  readonly access: 'admin' | 'project';
  readonly request?: DocumentedBody;
  readonly mayLackBody?: true;
  readonly headers?: readonly DocumentedHeader[];
  /** Absent: 200 without a body. */
  readonly response?: DocumentedBody;
  /** Error codes of the specification. 401 and 403 are added when a token is needed. */
  readonly errors: readonly number[];
}

const body = (name: keyof typeof examples, schema: TSchema): DocumentedBody => ({
  name,
  schema,
  example: examples[name],
});

/** Additions to the specification: an admin's requests to a running session. */
const requestOperations: readonly Operation[] = (
  [
    [
      'pause',
      'pauseSession',
      'Pause the session: nothing new begins, and everything in flight ends. Paused already: 200',
    ],
    ['resume', 'goOnWithSession', 'Continue a paused session at once. Not paused: 200'],
    [
      'abort',
      'abortSession',
      'Stop the session: when nothing is in flight any more it has failed, and PUT can continue it',
    ],
  ] as const
).map(([request, id, summary]) => ({
  method: 'post',
  path: `/v1/maintenance/{session_id}/${request}`,
  id,
  summary: `${summary}. An addition to the specification`,
  tag: 'Sessions',
  access: 'admin',
  request: body('SessionRequest', SessionRequestSchema),
  mayLackBody: true,
  response: body('SessionInFlight', SessionInFlightSchema),
  errors: [400, 404, 422, 500],
}));

/** Additions to the interface: what an admin may ask for one host of a session. */
const hostOperations: readonly Operation[] = (
  [
    ['skip', 'skipHost', 'Leave a host out of the session; moves that have begun end first. Skipped already: 200'],
    ['retry', 'retryHost', 'Take a host up again that was set aside or skipped. Taken up already: 200'],
    ['first', 'drainHostFirst', 'Drain a host before the others, as far as constraints allow. Under work already: 200'],
  ] as const
).map(([request, id, summary]) => ({
  method: 'post',
  path: `/v1/maintenance/{session_id}/hosts/{hostname}/${request}`,
  id,
  summary: `${summary}. An addition to the specification`,
  tag: 'Sessions',
  access: 'admin',
  request: body('SessionRequest', SessionRequestSchema),
  mayLackBody: true,
  response: body('SteeredHost', SteeredHostSchema),
  errors: [400, 404, 422, 500],
}));

const sessionOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/maintenance',
    id: 'createSession',
    summary: 'Create a maintenance session',
    tag: 'Sessions',
    access: 'admin',
    headers: [
      {
        name: 'Idempotency-Key',
        description:
          'A key of your own for this request, such as a UUID: whoever repeats the request with it gets the same ' +
          'session. Another body with the same key is an error. An addition to the interface',
        maxLength: 255,
      },
    ],
    request: body('CreateSession', CreateSessionSchema),
    response: body('SessionCreated', SessionCreatedSchema),
    errors: [400, 500, 509],
  },
  {
    method: 'post',
    path: '/v1/maintenance/plan',
    id: 'planSession',
    summary: 'Plan a session without creating it: what would happen, and what stands in the way. An addition',
    tag: 'Sessions',
    access: 'admin',
    request: body('CreateSession', CreateSessionSchema),
    response: body('Plan', PlanSchema),
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
    path: '/v1/maintenance',
    id: 'listSessions',
    summary: 'List the sessions that are not deleted',
    tag: 'Sessions',
    access: 'admin',
    response: body('SessionList', SessionListSchema),
    errors: [400, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}',
    id: 'getSession',
    summary: 'Get the state of a session',
    tag: 'Sessions',
    access: 'admin',
    response: body('SessionState', SessionStateSchema),
    errors: [400, 404, 422, 500],
  },
  {
    method: 'put',
    path: '/v1/maintenance/{session_id}',
    id: 'resumeSession',
    summary: 'Continue a failed session from a state that it entered, or else from its previous state',
    tag: 'Sessions',
    access: 'admin',
    request: body('ResumeSession', ResumeSessionSchema),
    mayLackBody: true,
    response: body('SessionResumed', SessionResumedSchema),
    errors: [400, 422, 500],
  },
  {
    method: 'patch',
    path: '/v1/maintenance/{session_id}',
    id: 'changeSession',
    summary:
      'Change how a session is steered, while it runs or before: only what is named, null takes it away. An addition ' +
      'to the interface',
    tag: 'Sessions',
    access: 'admin',
    request: body('ChangeSession', ChangeSessionSchema),
    response: body('SessionChanged', SessionChangedSchema),
    errors: [400, 404, 422, 500],
  },
  {
    method: 'delete',
    path: '/v1/maintenance/{session_id}',
    id: 'deleteSession',
    summary: 'Delete a session; one that is not finished is stopped first, in the background',
    tag: 'Sessions',
    access: 'admin',
    errors: [400, 422, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/detail',
    id: 'getSessionDetail',
    summary: 'Get everything about a session',
    tag: 'Sessions',
    access: 'admin',
    response: body('SessionDetail', SessionDetailSchema),
    errors: [400, 404, 422, 500],
  },
  ...requestOperations,
  ...hostOperations,
];

const projectOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/{project_id}',
    id: 'listProjectInstances',
    summary: "List the instances in the project's open question, or else in its last one",
    tag: 'Projects',
    access: 'project',
    response: body('ProjectInstances', ProjectInstancesSchema),
    errors: [400, 422, 500],
  },
  {
    method: 'put',
    path: '/v1/maintenance/{session_id}/{project_id}',
    id: 'replyForProject',
    summary: 'Reply to a state of the session; further keys in the body are ignored',
    tag: 'Projects',
    access: 'project',
    request: body('ProjectReply', ProjectReplySchema),
    errors: [400, 422, 500],
  },
  {
    method: 'put',
    path: '/v1/maintenance/{session_id}/{project_id}/{instance_id}',
    id: 'replyForInstance',
    summary: 'Reply for one instance; further keys in the body are ignored',
    tag: 'Projects',
    access: 'project',
    request: body('InstanceReply', InstanceReplySchema),
    errors: [400, 422, 500],
  },
];

const constraintOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/instance/{instance_id}',
    id: 'getInstanceConstraints',
    summary: 'Get the constraints of an instance',
    tag: 'Constraints',
    access: 'project',
    response: body('InstanceConstraints', InstanceConstraintsSchema),
    errors: [400, 404, 422, 500],
  },
  {
    method: 'put',
    path: '/v1/instance/{instance_id}',
    id: 'setInstanceConstraints',
    summary: 'Set or update the constraints of an instance',
    tag: 'Constraints',
    access: 'project',
    request: body('InstanceConstraints', InstanceConstraintsSchema),
    errors: [400, 422, 500],
  },
  {
    method: 'delete',
    path: '/v1/instance/{instance_id}',
    id: 'deleteInstanceConstraints',
    summary: 'Delete the constraints of an instance; succeeds when none are stored',
    tag: 'Constraints',
    access: 'project',
    errors: [400, 422, 500],
  },
  {
    method: 'get',
    path: '/v1/instance_group/{group_id}',
    id: 'getGroupConstraints',
    summary: 'Get the constraints of an instance group, with its members',
    tag: 'Constraints',
    access: 'project',
    response: body('GroupRecord', GroupRecordSchema),
    errors: [400, 422, 500],
  },
  {
    method: 'put',
    path: '/v1/instance_group/{group_id}',
    id: 'setGroupConstraints',
    summary: 'Set or update the constraints of an instance group',
    tag: 'Constraints',
    access: 'project',
    request: body('GroupConstraints', GroupConstraintsSchema),
    errors: [400, 422, 500],
  },
  {
    method: 'delete',
    path: '/v1/instance_group/{group_id}',
    id: 'deleteGroupConstraints',
    summary: 'Delete the constraints of an instance group; succeeds when none are stored',
    tag: 'Constraints',
    access: 'project',
    errors: [400, 422, 500],
  },
];

/** The operations with JSON bodies; the event stream and the health checks are described in document.ts. */
export const operations: readonly Operation[] = [...sessionOperations, ...projectOperations, ...constraintOperations];
