/**
 * The interface of a workflow plug-in: a name and a handler for each of its states. Packages of sessions bring such
 * plug-ins as well (docs/plugins.md), so what changes here changes for their authors.
 */
import type { WayOfRolling } from '../../planning/rolling/ways-of-rolling';

/** What a state's handler may do with its session. Everything may be called again after a reset: facts decide. */
export interface MaintenanceSession {
  readonly id: string;
  /** Of the create request. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * Asks every project with instances on the session's hosts about the present state, and waits until it is settled.
   * Not in SCALE_IN and the rolling states, which ask by themselves.
   */
  askProjects(): Promise<void>;
  /** Waits until the session's maintenance_at. */
  waitUntilStart(): Promise<void>;
  /** Runs the session's `pre` or `post` action plug-ins that have not finished yet, in alphabetical order. */
  runPlugins(type: 'pre' | 'post'): Promise<void>;
  /** Looks at the fleet afresh: where the work on the hosts begins. */
  chooseBeginning(): Promise<string>;
  /** In SCALE_IN: asks projects to free room until a host can be emptied. */
  scaleIn(): Promise<string>;
  /** In a rolling state: plans, admits and has hosts worked on until the state is over. */
  roll(): Promise<string>;
}

/** @returns the state to go to. A handler that throws fails the session. */
export type StateHandler = (session: MaintenanceSession) => Promise<string>;

export interface WorkflowPlugin {
  readonly name: string;
  /** How hosts are worked on in the rolling states; left out: as `default` does. */
  readonly rolling?: WayOfRolling;
  /** Handlers by state: those of the specification, and others between them. */
  readonly states: Readonly<Record<string, StateHandler>>;
}

/** States that no workflow begins in or handles: the engine's own, and those that events have for hosts and actions. */
const reservedStates: readonly string[] = [
  'MAINTENANCE_DONE',
  'MAINTENANCE_FAILED',
  'IN_MAINTENANCE',
  'INSTANCE_ACTION_DONE',
  'INSTANCE_ACTION_FAILED',
  'INSTANCE_ACTION_FALLBACK',
];

/** Whether a workflow plug-in may have a state of this name: as projects can reply to it, and none of the reserved. */
export const isStateName = (name: string): boolean =>
  /^[A-Z][A-Z_]{0,63}$/.test(name) && !reservedStates.includes(name);
