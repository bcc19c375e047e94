/**
 * Every endpoint and its documentation: the one table behind /openapi.json, and behind the test that walks all
 * endpoints.
 */
import { detailParameters } from '../parsing/detail-query';
import {
  GroupConstraintsSchema,
  GroupRecordSchema,
  InstanceConstraintsSchema,
  ManyConstraintsSchema,
  StoredConstraintsSchema,
} from '../schemas/constraint-schemas';
import { SessionEventsSchema } from '../schemas/event-schemas';
import { QuestionListSchema } from '../schemas/question-schemas';
import {
  InstanceReplySchema,
  ProjectInstancesSchema,
  ProjectReplySchema,
  ReplyNoteSchema,
} from '../schemas/reply-schemas';
import {
  ContinueSessionSchema,
  CreateSessionSchema,
  SessionContinuedSchema,
  SessionCreatedSchema,
  SessionDetailSchema,
  SessionStateSchema,
} from '../schemas/session-schemas';
import { ChangeSessionSchema, SessionChangedSchema } from '../schemas/steering-schemas';
import { SessionSummarySchema } from '../schemas/summary-schemas';
import { SessionTimelineSchema } from '../schemas/timeline-schemas';
import { auditOperations } from './audit-operations';
import { body, type Operation } from './documented-endpoint';
import { freezeOperations } from './freeze-operations';
import { listOperation } from './list-filters';
import { planOperations } from './plan-operations';
import { lookOperations } from './project-operations';
import { hostOperations, requestOperations } from './request-operations';
import { signInOperations } from './sign-in-operations';
import { termsOperations } from './terms-operations';
import { webhookOperations } from './webhook-operations';

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
    errors: [400, 422, 500, 509],
  },
  ...planOperations,
  listOperation,
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
    request: body('ResumeSession', ContinueSessionSchema),
    mayLackBody: true,
    response: body('SessionResumed', SessionContinuedSchema),
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
    summary: 'Get everything about a session; with view=summary one look at it, otherwise a part of it',
    tag: 'Sessions',
    access: 'admin',
    query: Object.entries(detailParameters).map(([name, description]) => ({ name, description })),
    response: body('SessionDetail', SessionDetailSchema),
    alternative: body('SessionSummary', SessionSummarySchema),
    hasEtag: true,
    errors: [400, 404, 422, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/timeline',
    id: 'getTimeline',
    summary: 'Get the hosts of a session over time, in few fields each, and how it is steered. An addition',
    tag: 'Sessions',
    access: 'admin',
    response: body('SessionTimeline', SessionTimelineSchema),
    hasEtag: true,
    errors: [400, 404, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/events',
    id: 'listSessionEvents',
    summary: 'List the last events of a session; GET /v1/events has those that follow. An addition',
    tag: 'Sessions',
    access: 'admin',
    response: body('SessionEvents', SessionEventsSchema),
    errors: [400, 500],
  },
  ...requestOperations,
  ...hostOperations,
];

const projectOperations: readonly Operation[] = [
  ...lookOperations,
  ...termsOperations,
  {
    method: 'get',
    path: '/v1/questions',
    id: 'listQuestions',
    summary: 'List the questions that nobody has answered yet, or all of a session: for a project its own. An addition',
    tag: 'Projects',
    access: 'project',
    query: [
      { name: 'project_id', description: "Only this project's questions" },
      { name: 'session_id', description: 'The questions of this session, with those that are answered or over' },
    ],
    response: body('QuestionList', QuestionListSchema),
    errors: [400, 500],
  },
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
    summary: 'Reply to a state of the session; keys that are not listed are ignored',
    tag: 'Projects',
    access: 'project',
    request: body('ProjectReply', ProjectReplySchema),
    response: body('ReplyNote', ReplyNoteSchema),
    isReply: true,
    errors: [400, 422, 500],
  },
  {
    method: 'put',
    path: '/v1/maintenance/{session_id}/{project_id}/{instance_id}',
    id: 'replyForInstance',
    summary: 'Reply for one instance; keys that are not listed are ignored',
    tag: 'Projects',
    access: 'project',
    request: body('InstanceReply', InstanceReplySchema),
    response: body('ReplyNote', ReplyNoteSchema),
    isReply: true,
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
  {
    method: 'put',
    path: '/v1/constraints',
    id: 'setManyConstraints',
    summary:
      'Set or update the constraints of many instances and groups. Each item is stored as if it was sent alone, and ' +
      '`failed` tells those that are not. An addition to the interface',
    tag: 'Constraints',
    access: 'project',
    request: body('ManyConstraints', ManyConstraintsSchema),
    response: body('StoredConstraints', StoredConstraintsSchema),
    errors: [400, 422, 500],
  },
];

/** The operations with JSON bodies; the event stream and the health checks are described in document.ts. */
export const operations: readonly Operation[] = [
  ...sessionOperations,
  ...projectOperations,
  ...constraintOperations,
  ...auditOperations,
  ...signInOperations,
  ...webhookOperations,
  ...freezeOperations,
];
