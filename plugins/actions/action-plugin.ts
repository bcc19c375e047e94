/** The interface of an action plug-in: the operator's own work on a host, or once a session. */

export interface ActionPluginRun {
  readonly session: { readonly id: string; readonly workflow: string; readonly state: string };
  /** The host; undefined for `pre` and `post`. */
  readonly host?: { readonly name: string; readonly type: 'compute' | 'controller' };
  /** The hints of the create request. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The number of earlier starts, after failures and crashes. */
  readonly earlierAttempts: number;
  /** The time after which `signal` is aborted. */
  readonly limitSeconds?: number;
  /** The time that the cloud gives for the host's maintenance, in real seconds. */
  readonly maintenanceSeconds?: number;
  /**
   * The folder of the session's downloaded files; undefined for a session without downloads. Nothing in it may change.
   */
  readonly directory?: string;
  /** The value that an earlier run has kept; undefined: none did, or the plug-in has failed since. */
  readonly kept?: unknown;
  /** Keeps a JSON value in the plug-in's record, for a run that takes over from this one. Left out: nothing is kept. */
  readonly keep?: (value: object) => Promise<void>;
  /** Aborted when the session is aborted, or when the time limit has passed: end soon, and cleanly. */
  readonly signal: AbortSignal;
  /**
   * True when `signal` is aborted only since this worker stops, or is taken for dead: the plug-in runs again on another
   * one, so work outside of the worker may go on. Left out: it is not.
   */
  readonly isWorkerStopping?: () => boolean;
  /**
   * A fresh look: false when the host of the run is not in maintenance any more. To be asked before work outside of the
   * worker begins, which may hang for an hour before that. Left out: it is.
   */
  readonly isWanted?: () => Promise<boolean>;
  readonly log: (message: string) => void;
}

/** The action, and the host that it ran on. */
export interface ClearedRun extends Pick<ActionPluginRun, 'metadata' | 'kept'> {
  readonly session: Pick<ActionPluginRun['session'], 'id'>;
  readonly host: NonNullable<ActionPluginRun['host']>;
}

/** Work that runs of a plug-in have left on a host. */
export interface LeftWork {
  readonly sessionId: string;
  readonly hostname: string;
  /** Its name, for people. */
  readonly name: string;
  remove(): Promise<void>;
}

export interface ActionPlugin {
  readonly name: string;
  /**
   * Does the work. It may run again after a crash.
   * @returns state for the plug-in's record, for troubleshooting
   * @throws ActionPluginFailure, which fails the host (or the session) with its text
   */
  run(run: ActionPluginRun): Promise<{ readonly state: string | null }>;
  /**
   * Ends what runs of this action have left outside of the worker, so that nothing of it acts on the host once that is
   * given back. A repeat changes nothing. Left out: runs leave nothing.
   * @returns what still ends on the host, for people; undefined when nothing does
   */
  clear?(of: ClearedRun): Promise<string | undefined>;
  /** Finds what runs have left on any host, for the sweeper. */
  findLeft?(): Promise<readonly LeftWork[]>;
}

/** The plug-in did its best and failed: the operator decides whether it runs again. */
export class ActionPluginFailure extends Error {
  override readonly name = 'ActionPluginFailure';
}
