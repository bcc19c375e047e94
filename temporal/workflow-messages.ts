/**
 * The messages of the service's workflows, and their IDs. Workflows, api, activities and tests share them, so this file
 * imports only definitions. A signal is a wake-up: the facts are in PostgreSQL, so a lost or repeated signal changes
 * nothing.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { BuiltInWorkflow } from '../rules/decisions/both-workflows/built-in-workflow';

/**
 * The task queue of all workflows except the sessions with a workflow of their own, and of activities that take
 * seconds.
 */
export const taskQueue = 'parley';
/**
 * The task queues of activities that wait for hours: for a host that is drained, and for an operator's work on it. So
 * nobody waits behind them.
 */
export const taskQueueOfHosts = 'parley-hosts';
export const taskQueueOfPlugins = 'parley-plugins';
/** The task queue of a session whose packages brought its workflow: the workers that have the package serve it. */
export const sessionTaskQueue = (sessionId: string): string => `parley-session-${sessionId}`;

/** The workflow types, by the names that the worker registers. */
export const workflowTypes = {
  session: 'maintenanceSession',
  host: 'hostWork',
  cleanup: 'sessionCleanup',
  sweep: 'sweep',
  check: 'checkWorkflow',
  webhookDeliveries: 'webhookDeliveries',
} as const;

export interface SessionInput {
  readonly sessionId: string;
  /** The state at which a new run begins without set-up: the run enters this state, or goes on with it. */
  readonly from?: { readonly state: string; readonly how: 'enter' | 'continue' };
  /** True when the session's packages are accepted and recorded: the session runs on its own task queue. */
  readonly hasPackages?: true;
  /** The run before this one was ending the session, and had told its hosts so: this run goes on with that. */
  readonly ending?: { readonly reason: string; readonly isAborted: boolean; readonly told?: 'failing' | 'aborting' };
}

export interface HostInput {
  readonly sessionId: string;
  readonly hostname: string;
}

export interface CheckInput {
  /** The name of the workflow in the create request. */
  readonly workflow: string;
}

/** The result of the check of the workflow in a session's packages. */
export type CheckedWorkflow =
  | { readonly kind: 'fits'; readonly states: readonly string[]; readonly rolling: BuiltInWorkflow }
  | { readonly kind: 'unfit'; readonly because: string };

export interface CleanupInput {
  readonly sessionId: string;
}

export interface WebhookDeliveriesInput {
  readonly webhookId: string;
  readonly sessionId: string;
}

/** The session's workflow has the session's ID. */
export const sessionWorkflowId = (sessionId: string): string => sessionId;
export const hostWorkflowId = (sessionId: string, hostname: string): string => `${sessionId}/host/${hostname}`;
export const cleanupWorkflowId = (sessionId: string): string => `${sessionId}/cleanup`;
export const checkWorkflowId = (sessionId: string): string => `${sessionId}/check`;
/** One run at a time has this ID: no two workers deliver events of a session to the same webhook at once. */
export const webhookDeliveriesId = ({ webhookId, sessionId }: WebhookDeliveriesInput): string =>
  `${sessionId}/webhook/${webhookId}`;

/**
 * Something happened (an answer, a report, a changed constraint): look at the facts again. Sessions and hosts receive
 * it.
 */
export const wakeUp = defineSignal('wakeUp');
/**
 * A session that receives it reads in its row that it is to be aborted, with or without a deletion. A host that
 * receives it ends everything in flight and cancels its plug-ins.
 */
export const abort = defineSignal('abort');

/**
 * An admin's requests to a running session. The row has the fact already, and everything that begins is decided by it.
 * The update makes the workflow act on the fact at once, and its answer confirms that.
 */
export const pauseSession = defineUpdate('pauseSession');
export const resumeSession = defineUpdate('resumeSession');
export const abortSession = defineUpdate('abortSession');

/** The failure of a session that an admin aborted. */
export const abortedByAdmin = 'aborted by the admin; PUT continues from the previous state';

/** The state that the workflow is in, for the Temporal Web UI. */
export const currentState = defineQuery<string>('currentState');

/** The fields by which the list of Temporal Web UI can be filtered. */
export const searchAttributes = {
  /** The session's state. */
  state: defineSearchAttributeKey('MaintenanceState', 'KEYWORD'),
  /** The host's name, on the workflow of a host. */
  host: defineSearchAttributeKey('MaintenanceHost', 'KEYWORD'),
  /** The projects that a session waits for, in a list of limited length. */
  project: defineSearchAttributeKey('MaintenanceProject', 'KEYWORD_LIST'),
} as const;

/** A search attribute holds 2 KB at most, and each decision's answer stays in the session's history. */
const mostProjectsShown = 40;

/** The projects that a workflow is told of. */
export const shownProjects = (projectIds: readonly string[]): string[] => projectIds.slice(0, mostProjectsShown);
