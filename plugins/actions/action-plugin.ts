/** The interface of an action plug-in: the operator's own work on a host, or once a session. */

export interface ActionPluginRun {
  readonly session: { readonly id: string; readonly workflow: string; readonly state: string };
  /** Undefined for `pre` and `post`. */
  readonly host?: { readonly name: string; readonly type: 'compute' | 'controller' };
  /** The hints of the create request. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** How often this was started before, after failures and crashes. */
  readonly earlierAttempts: number;
  /** How long the cloud says the host's maintenance takes; real seconds. */
  readonly maintenanceSeconds?: number;
  /** Folder of the session's downloaded files; undefined for a session without any. Nothing may change in it. */
  readonly directory?: string;
  /** Aborted when the session is, or when the time limit has passed: end soon, and cleanly. */
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

export interface ActionPlugin {
  readonly name: string;
  /**
   * Does the work; may be run again after a crash.
   * @returns state for the plug-in's record, for troubleshooting
   * @throws ActionPluginFailure, which fails the host (or the session) with its text
   */
  run(run: ActionPluginRun): Promise<{ readonly state: string | null }>;
}

/** The plug-in did its best and failed: running it again is the operator's decision. */
export class ActionPluginFailure extends Error {
  override readonly name = 'ActionPluginFailure';
}
