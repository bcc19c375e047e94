/**
 * The interface of a workflow plug-in: a name and a handler for each of its states. Packages of sessions bring such
 * plug-ins as well (docs/plugins.md), so a change here changes the interface for their authors.
 */
import type { BuiltInWorkflow } from '../../rules/decisions/both-workflows/built-in-workflow';

/** The session's methods for a state's handler. A reset may repeat every call: the facts decide. */
export interface MaintenanceSession {
  readonly id: string;
  /** The metadata of the create request. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * Asks every project with instances on the session's hosts about the present state, and waits until all have settled.
   * Not for SCALE_IN and the rolling states, which ask by themselves.
   */
  askProjects(): Promise<void>;
  /** Waits until the session's maintenance_at. */
  waitUntilStart(): Promise<void>;
  /** Runs the session's `pre` or `post` action plug-ins that have not finished yet, in alphabetical order. */
  runPlugins(type: 'pre' | 'post'): Promise<void>;
  /** Reads the fleet again: the work on the hosts begins after this. */
  chooseBeginning(): Promise<string>;
  /** Asks projects to free capacity in SCALE_IN, until a host can be drained. */
  scaleIn(): Promise<string>;
  /** Plans, admits and has hosts worked on in a rolling state, until that is over. */
  roll(): Promise<string>;
}

/** @returns the next state. A handler that throws fails the session. */
export type StateHandler = (session: MaintenanceSession) => Promise<string>;

export interface WorkflowPlugin {
  readonly name: string;
  /** The way to work on hosts in the rolling states. Left out: as `default` does. */
  readonly rolling?: BuiltInWorkflow;
  /** Handlers by state: the states of the specification, and others between them. */
  readonly states: Readonly<Record<string, StateHandler>>;
}

/**
 * States in which no workflow begins and for which it has no handler: the engine's own, and those of events about hosts
 * and actions.
 */
const reservedStates: readonly string[] = [
  'MAINTENANCE_DONE',
  'MAINTENANCE_FAILED',
  'IN_MAINTENANCE',
  'INSTANCE_ACTION_DONE',
  'INSTANCE_ACTION_FAILED',
  'INSTANCE_ACTION_FALLBACK',
];

/** True when a workflow plug-in may have a state of this name: projects can reply to it, and it is not reserved. */
export const isStateName = (name: string): boolean =>
  /^[A-Z][A-Z_]{0,63}$/.test(name) && !reservedStates.includes(name);
