/**
 * The messages of the service's workflows, and their IDs. Shared by workflows, api, activities and tests, so it
 * imports only definitions. A signal is a wake-up: the facts are in PostgreSQL, losing or repeating one changes
 * nothing.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { WayOfRolling } from '../planning/rolling/ways-of-rolling';

/** All activities, and all workflows but the sessions with a workflow of their own. */
export const taskQueue = 'parley';
/** Of a session whose workflow its packages brought: the workers that have the package serve it. */
export const sessionTaskQueue = (sessionId: string): string => `parley-session-${sessionId}`;

/** The workflow types, by the names that the worker registers. */
export const workflowTypes = {
  session: 'maintenanceSession',
  host: 'hostWork',
  cleanup: 'sessionCleanup',
  sweep: 'sweep',
  check: 'checkWorkflow',
} as const;

export interface SessionInput {
  readonly sessionId: string;
  /** Where a new run begins without set-up: the state to enter, or the one to go on with. */
  readonly from?: { readonly state: string; readonly how: 'enter' | 'continue' };
  /** Its packages are accepted and recorded: it runs on the task queue of its own. */
  readonly hasPackages?: true;
}

export interface HostInput {
  readonly sessionId: string;
  readonly hostname: string;
}

export interface CheckInput {
  /** As the create request names it. */
  readonly workflow: string;
}

/** What a look at the workflow of a session's packages said. */
export type CheckedWorkflow =
  | { readonly kind: 'fits'; readonly states: readonly string[]; readonly rolling: WayOfRolling }
  | { readonly kind: 'unfit'; readonly because: string };

export interface CleanupInput {
  readonly sessionId: string;
}

/** The session's workflow has the session's ID. */
export const sessionWorkflowId = (sessionId: string): string => sessionId;
export const hostWorkflowId = (sessionId: string, hostname: string): string => `${sessionId}/host/${hostname}`;
export const cleanupWorkflowId = (sessionId: string): string => `${sessionId}/cleanup`;
export const checkWorkflowId = (sessionId: string): string => `${sessionId}/check`;

/** Something happened (an answer, a report, a changed constraint): look at the facts again. To sessions and hosts. */
export const wakeUp = defineSignal('wakeUp');
/**
 * To a session: its row says that it is to be aborted, for a deletion or not. To a host: end what is in flight,
 * plug-ins are cancelled.
 */
export const abort = defineSignal('abort');

/**
 * An admin's requests to a running session. The row has the fact already and every beginning is decided on it; the
 * update makes the workflow act on it at once, and its answer says that it does.
 */
export const pauseSession = defineUpdate('pauseSession');
export const resumeSession = defineUpdate('resumeSession');
export const abortSession = defineUpdate('abortSession');

/** The failure of a session that an admin aborted. */
export const abortedByAdmin = 'aborted by the administrator; PUT goes on from the state before';

/** The state that the workflow is in, for the Temporal Web UI. */
export const currentState = defineQuery<string>('currentState');

/** What the list of Temporal Web UI can be filtered by. */
export const searchAttributes = {
  /** The session's state. */
  state: defineSearchAttributeKey('MaintenanceState', 'KEYWORD'),
  /** On the workflow of a host: its name. */
  host: defineSearchAttributeKey('MaintenanceHost', 'KEYWORD'),
  /** The projects that a session waits for, a capped list. */
  project: defineSearchAttributeKey('MaintenanceProject', 'KEYWORD_LIST'),
} as const;
