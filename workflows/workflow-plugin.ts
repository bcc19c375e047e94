/** The interface of a workflow plug-in: a name and a handler for each of its states. */
import type { SessionState } from '../planning/fleet';

/** What a state's handler may do with its session. Everything may be called again after a reset: facts decide. */
export interface MaintenanceSession {
  readonly id: string;
  /** Asks every project with instances on the session's hosts about the present state, and waits until it is settled. */
  askProjects(): Promise<void>;
  /** Waits until the session's maintenance_at. */
  waitUntilStart(): Promise<void>;
  /** Runs the session's `pre` or `post` action plug-ins that have not finished yet, in alphabetical order. */
  runPlugins(type: 'pre' | 'post'): Promise<void>;
  /** Looks at the fleet afresh: where the work on the hosts begins. */
  chooseBeginning(): Promise<SessionState>;
  /** Asks projects to free room until a host can be emptied. */
  scaleIn(): Promise<SessionState>;
  /** Plans, admits and has hosts worked on until the present state is over. */
  roll(): Promise<SessionState>;
}

export interface WorkflowPlugin {
  readonly name: string;
  /** Handlers by state; each returns the state to go to. A handler that throws fails the session. */
  readonly states: Partial<Readonly<Record<SessionState, (session: MaintenanceSession) => Promise<SessionState>>>>;
}
