/** Runs action plug-ins, each with its record. A plug-in that has finished does not run again. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { type ActionPlugin, ActionPluginFailure, type ActionPluginRun } from '../../plugins/actions/action-plugin';
import { downloadedPlugin } from '../../plugins/actions/downloaded-plugin';
import { DownloadRefused } from '../../plugins/downloads/download-refused';
import { findModule } from '../../plugins/downloads/package-contents';
import { databaseNow, type Transaction } from '../../prisma/database';
import {
  isPluginRunning,
  keepForRun,
  mayGoOnElsewhere,
  type PluginEnd,
  type PluginRef,
  recordPluginEnd,
  recordPluginStart,
} from '../../prisma/hosts/plugin-records';
import { findSessionHost } from '../../prisma/hosts/session-hosts';
import { findSessionProgress, type SessionAction, type SessionProgress } from '../../prisma/session/session-progress';
import { nameOfHold } from '../../rules/holds/hold';
import { mayBegin } from '../../rules/steering/may-begin';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { type HeldBack, heldBack } from '../session/answer-held-back';
import { provideFiles } from '../session/download-activities';
import { inHost, inSession } from '../session/run-in-force';
import { clearHost, type ClearingServices, clearOrNote } from './clear-host';
import { holdHost } from './hold-host';
import { isStillEmpty, lookAtHost } from './look-at-host';

export const createPluginActivities = (services: Services) => ({
  /**
   * @param ref with the session's state for `pre` and `post`, which run in a state
   * @returns that it is held back when it is one of these and the session may begin nothing; occupied: it has not run,
   * because something is or may be on its host; held: a person works on its host; nothing when it is done
   */
  async runPlugin({ state, ...ref }: PluginRun): Promise<HeldBack | 'occupied' | 'held' | undefined> {
    const session = await findSessionProgress(services.db, ref.sessionId);
    const action = session?.actions[ref.position];
    if (session === null || action === undefined) {
      throw ApplicationFailure.nonRetryable(`session ${ref.sessionId} has no action ${ref.position}`, 'UnknownAction');
    }
    const record = <T>(write: (tx: Transaction) => Promise<T>): Promise<T> =>
      ref.hostname === ''
        ? inSession(services, { sessionId: ref.sessionId, ...(state && { state }) }, write)
        : inHost(services, ref, write);
    if (ref.hostname !== '' && !(await isFree(services, ref))) return 'occupied';
    if (await isLeftBefore(services, ref)) return 'occupied';
    if (action.plugin === nameOfHold) return holdHost(services, { ref, action });
    const start = await record(async (tx) => {
      const held = await heldBackNow(tx, ref);
      if (held !== undefined) return { held };
      const begun = await recordPluginStart(tx, ref, action);
      if (!begun.done)
        logFact(services, tx, { what: 'plug-in begun', ...namesOf(ref, action), attempt: begun.attempts });
      return { begun };
    });
    if (start.begun === undefined) return start.held;
    if (!start.begun.done) {
      const { attempts, kept } = start.begun;
      const run = { ref, session, action, record, earlierAttempts: attempts - 1, kept };
      await runAttended(services, { ...run, beganMs: performance.now() });
    }
    return undefined;
  },
});

export type PluginActivities = ReturnType<typeof createPluginActivities>;

export interface PluginRun extends PluginRef {
  readonly state?: string;
}

/** The work on a host in maintenance is in flight as a whole. `pre` and `post` plug-ins begin one by one. */
const heldBackNow = async (tx: Transaction, ref: PluginRef): Promise<HeldBack | undefined> => {
  if (ref.hostname !== '' || (await isInterrupted(tx, ref))) return undefined;
  const session = await findSessionProgress(tx, ref.sessionId);
  const now = await databaseNow(tx);
  return session === null || mayBegin(session, now) ? undefined : heldBack(session, now);
};

/** Begun already, on a worker that is gone: this is not a new beginning. */
const isInterrupted = async (tx: Transaction, ref: PluginRef): Promise<boolean> =>
  Context.current().info.attempt > 1 && (await isPluginRunning(tx, ref));

/** No plug-in runs on a host that may hold an instance. */
const isFree = async (services: Services, ref: PluginRef): Promise<boolean> => {
  const content = await lookAtHost(services.cloud, ref.hostname);
  return inHost(services, ref, async (tx, host) => {
    // A session that stops gives the host back, and cancels its plug-ins.
    if (host.phase !== 'maintaining') return true;
    return isStillEmpty(services, tx, { host, content });
  });
};

/** The run before has failed, and the work that it has begun elsewhere goes on: no second one begins beside it. */
const isLeftBefore = async (services: Services, ref: PluginRef): Promise<boolean> => {
  if (ref.hostname === '' || !(await mayGoOnElsewhere(services.db, ref))) return false;
  return (await clearOrNote(services, ref, (position) => position === ref.position)).length > 0;
};

/** Its host is cleared again before that is given back, so a failure here is no failure of the plug-in. */
const clearAtOnce = async (services: ClearingServices, ref: PluginRef): Promise<void> => {
  if (ref.hostname === '') return;
  await clearHost(services, ref, (position) => position === ref.position).catch((err: unknown) => {
    services.logger.warn({ err, ...ref }, 'what the plug-in has left on the host is removed later');
  });
};

interface StartedPlugin {
  readonly ref: PluginRef;
  /** Writes to the plug-in's record, if the run that started it is still in force. */
  readonly record: (write: (tx: Transaction) => Promise<unknown>) => Promise<unknown>;
  readonly session: SessionProgress;
  readonly action: SessionAction;
  readonly earlierAttempts: number;
  readonly kept: unknown;
  /** Time on this process's own monotonic clock. */
  readonly beganMs: number;
}

/** Nobody has to tell the host's workflow anything while a plug-in runs on the host: hundreds may run for hours. */
const runAttended = async (services: Services, run: StartedPlugin): Promise<void> => {
  const { ref } = run;
  if (ref.hostname === '') return runRecorded(services, run);
  const leave = await services.hostWatch.attend(ref);
  try {
    await runRecorded(services, run);
  } finally {
    // Leaves always: else its workflow would miss news as long as the row calls the host attended.
    await leave().catch((err: unknown) => {
      services.logger.warn({ err, ...ref }, 'the row may call the host attended for some seconds more');
    });
  }
};

const runRecorded = async (services: Services, run: StartedPlugin): Promise<void> => {
  try {
    const { state } = await runLimited(services, run);
    await recordEnd(services, run, { status: 'done', state });
    await clearAtOnce(services, run.ref);
  } catch (error) {
    // Cancelled: its failure does not matter any more.
    Context.current().cancellationSignal.throwIfAborted();
    if (!(error instanceof ActionPluginFailure || error instanceof DownloadRefused)) throw error;
    await recordEnd(services, run, { status: 'failed', state: error.message });
    throw ApplicationFailure.nonRetryable(failureText(run, error.message), 'ActionPluginFailed');
  }
};

const recordEnd = async (
  services: Pick<Services, 'logger'>,
  { ref, record, action, beganMs }: StartedPlugin,
  end: PluginEnd,
): Promise<void> => {
  await record(async (tx) => {
    await recordPluginEnd(tx, ref, end);
    const tookSeconds = Math.round((performance.now() - beganMs) / 100) / 10;
    const told = end.status === 'done' ? {} : { level: 'warn' as const, reason: end.state };
    logFact(services, tx, { what: `plug-in ${end.status}`, ...namesOf(ref, action), ...told, tookSeconds });
  });
};

const namesOf = ({ sessionId, hostname }: PluginRef, { plugin, type }: SessionAction) => ({
  sessionId,
  ...(hostname !== '' && { host: hostname }),
  plugin,
  type,
});

const failureText = ({ ref, action }: StartedPlugin, message: string): string => {
  const where = ref.hostname === '' ? '' : `host ${ref.hostname}: `;
  return `${where}action plug-in ${action.plugin} (${action.type}) failed: ${message}`;
};

/** Runs the plug-in with this machine's copy of the session's files, and ends it at its time limit. */
const runLimited = async (services: Services, run: StartedPlugin): Promise<{ readonly state: string | null }> => {
  const directory = await provideFiles(services, run.ref.sessionId);
  const plugin = await findPlugin(services, run.action.plugin, directory);
  const seconds = timeLimitOf(run.action, services.limits.pluginSeconds);
  const described = await describeRun(services, run);
  const timeUp = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([described.signal, timeUp]);
  try {
    return await plugin.run({ ...described, signal, ...(directory !== undefined && { directory }) });
  } catch (error) {
    if (!timeUp.aborted) throw error;
    const last = error instanceof ActionPluginFailure ? `; ${error.message}` : '';
    throw new ActionPluginFailure(`it took more than its ${seconds} s and was stopped${last}`, { cause: error });
  }
};

/** A built-in plug-in has priority over a downloaded one with the same name. */
const findPlugin = async (
  { actionPlugins }: Pick<Services, 'actionPlugins'>,
  name: string,
  directory: string | undefined,
): Promise<ActionPlugin> => {
  const builtIn = actionPlugins.get(name);
  if (builtIn !== undefined) return builtIn;
  const file = directory === undefined ? undefined : await findModule(directory, { kind: 'actions', name });
  if (file === undefined) throw new ActionPluginFailure('it is neither built in nor in the packages of the session');
  return downloadedPlugin(name, file);
};

/** Time limit in seconds. The metadata's `timeout_seconds` may shorten the setting's limit. */
const timeLimitOf = ({ metadata }: SessionAction, pluginSeconds: number): number => {
  const wanted = metadata['timeout_seconds'];
  return typeof wanted === 'number' && wanted > 0 ? Math.min(wanted, pluginSeconds) : pluginSeconds;
};

/**
 * The SDK names the reason in this message. Any other reason than a cancellation, such as a worker that stops, or that
 * Temporal took for dead, leaves the work to another run.
 */
const workerStops = (signal: AbortSignal) => (): boolean =>
  signal.reason instanceof CancelledFailure && signal.reason.message !== 'CANCELLED';

const describeRun = async (services: Services, run: StartedPlugin): Promise<ActionPluginRun> => {
  const { ref, session, action, earlierAttempts, kept, record } = run;
  const host = await findSessionHost(services.db, ref);
  const maintenanceSeconds = host && (await services.cloud.maintenanceSeconds?.(host.hostname));
  const logger = services.logger.child(namesOf(ref, action));
  return {
    session: { id: session.id, workflow: session.workflow, state: session.state },
    metadata: action.metadata,
    ...{ earlierAttempts, kept },
    keep: async (value) => {
      await record((tx) => keepForRun(tx, ref, value));
    },
    limitSeconds: timeLimitOf(action, services.limits.pluginSeconds),
    signal: Context.current().cancellationSignal,
    isWorkerStopping: workerStops(Context.current().cancellationSignal),
    log: (message) => logger.info(message),
    ...(host && {
      host: { name: host.hostname, type: host.type },
      isWanted: () => inHost(services, ref, (_tx, { phase }) => Promise.resolve(phase === 'maintaining')),
    }),
    ...(maintenanceSeconds !== undefined && maintenanceSeconds !== null && { maintenanceSeconds }),
  };
};
