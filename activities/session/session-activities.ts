/** The course of a session: entering states, stopping everything in flight, failing, being removed. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/client';
import { isWorkflowOpen } from '../../control/workflow-state';
import { abortedByAdmin, sessionWorkflowId } from '../../messages/workflow-messages';
import { isDone } from '../../planning/fleet/host-work';
import { longestWaitMs } from '../../planning/look-again';
import { workflowPlugins } from '../../plugins/workflows/registry';
import { databaseNow, type Transaction } from '../../prisma/database';
import {
  changeHost,
  disownHosts,
  findSessionHosts,
  isPhaseUnderWork,
  type SessionHostRecord,
  staysSetAside,
} from '../../prisma/hosts/session-hosts';
import { findSessionProjects } from '../../prisma/hosts/session-instances';
import { lockProjectQuestions } from '../../prisma/questions/question-rounds';
import { findEntryPoint, recordEntryPoint } from '../../prisma/session/entry-points';
import { listDownloads } from '../../prisma/session/session-downloads';
import {
  changeSession,
  findSessionProgress,
  isToBeAborted,
  isWindowOpen,
  mayPrepare,
  type SessionProgress,
  untilOpenMs,
} from '../../prisma/session/session-progress';
import { isUnsettled } from '../../questions/negotiation';
import { enablesFailedHosts } from '../hosts/fail-host';
import { logFact, secondsBetween } from '../log-facts';
import { reconcile } from '../moves/reconcile';
import { goOnInState, withdrawQuestions } from '../questions/end-questions';
import type { Services } from '../services';
import { recordFailure } from './record-failure';
import { type Removal, removeSession } from './remove-session';
import { inSession, type SessionRef, takeOverSession } from './run-in-force';
import { tellSession } from './tell-session';

export interface StateEntry {
  readonly sessionId: string;
  readonly state: string;
  /** ID of the running WORKFLOW_TASK_STARTED event. */
  readonly eventId: number;
  /** True when the session has asked its projects in the state that it leaves, and continues with their answers. */
  readonly restsOnAnswers?: boolean;
}

/** A project has refused since then what it had accepted: it must be asked again before the session continues. */
const unsettled = 'unsettled';

/** The session is not done before these hosts, which are given back, have been enabled again. */
export interface StillReleasing {
  readonly releasing: readonly string[];
}

export interface SessionAtStart {
  readonly workflow: string;
  readonly initialState: string;
  readonly maintenanceAtMs: number;
  /** True when there are files to download first; histories from before downloads existed have no such field. */
  readonly hasDownloads?: boolean;
  /**
   * True when an earlier run was told to abort and continued as new in that moment; older histories have no such field.
   */
  readonly isToBeAborted?: boolean;
  /** From the create request; histories from before handlers received it have no such field. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * The time that a package's handler has to end when it is cancelled; in histories from before the setting existed it
   * had 60 s.
   */
  readonly cancelGraceSeconds?: number;
  /**
   * True when a project that refuses before the session begins is asked again at once; in histories from before that,
   * sessions slept until they began.
   */
  readonly asksAgainBeforeStart?: boolean;
  /** True when the row says when the session begins; in histories from before that, `maintenanceAtMs` alone did. */
  readonly looksAtStart?: boolean;
}

export const createSessionActivities = (services: Services) => ({
  /**
   * The facts that the engine needs. A read, so that only the first activity of a state makes the run the one in force.
   */
  async openSession({ sessionId }: SessionRef): Promise<SessionAtStart> {
    const session = await findSessionProgress(services.db, sessionId);
    if (session === null || session.deletedAt !== null) {
      throw ApplicationFailure.nonRetryable(`session ${sessionId} is deleted`, 'NotInForce');
    }
    const { workflow, initialState, maintenanceAt, metadata } = session;
    const hasDownloads = (await listDownloads(services.db, sessionId)).length > 0;
    const maintenanceAtMs = maintenanceAt.getTime();
    return {
      workflow,
      initialState,
      maintenanceAtMs,
      hasDownloads,
      isToBeAborted: isToBeAborted(session),
      metadata,
      cancelGraceSeconds: services.limits.takeUpSeconds,
      asksAgainBeforeStart: true,
      looksAtStart: true,
    };
  },

  /** The entry point of the set-up, under the initial state. */
  recordSetUp: (entry: StateEntry): Promise<void> =>
    inSession(services, entry, async (tx, { id: sessionId }) => {
      const isNew = await recordEntryPoint(tx, sessionId, { ...pointOf(entry), isSetUp: true });
      if (isNew) logFact(services, tx, { what: 'set-up begun', sessionId });
    }),

  /**
   * Records that the session has begun, once its start has come and nothing holds it. From then on the start is not
   * moved: a session that is paused, or outside its windows, has not begun.
   *
   * @returns milliseconds until the next look; 0: it has begun
   */
  lookAtStart: (ref: SessionRef): Promise<number> =>
    inSession(services, ref, async (tx, session) => {
      const { id: sessionId, maintenanceAt, begunAt } = session;
      if (begunAt !== null) return 0;
      const now = await databaseNow(tx);
      if (maintenanceAt > now) return maintenanceAt.getTime() - now.getTime();
      if (!mayPrepare(session)) return longestWaitMs;
      if (!isWindowOpen(session, now)) return untilOpenMs(session, now);
      await changeSession(tx, sessionId, { begunAt: now });
      return 0;
    }),

  /** Writes state, entry point and event, once for each time that the workflow enters the state. */
  async enterState(entry: StateEntry): Promise<typeof unsettled | StillReleasing | undefined> {
    const { sessionId, state } = entry;
    return inSession(services, entry, async (tx, session) => {
      if (await isEntered(tx, session, entry)) return undefined;
      if (entry.restsOnAnswers === true && (await isUnsettledIn(tx, session))) return unsettled;
      if (state === 'MAINTENANCE_COMPLETE' && (await isRetryingIn(tx, session))) return unsettled;
      const releasing = state === 'MAINTENANCE_DONE' ? await findReleasing(tx, sessionId) : [];
      if (releasing.length > 0) return { releasing };
      const prevState = session.state === state ? session.prevState : session.state;
      const now = await databaseNow(tx);
      await changeSession(tx, sessionId, { state, prevState, stateEnteredAt: now });
      const secondsBefore = secondsBetween(session.stateEnteredAt, now);
      logFact(services, tx, { what: 'state entered', sessionId, state, prevState, secondsBefore });
      await goOnInState(services, tx, entry);
      await recordEntryPoint(tx, sessionId, { ...pointOf(entry), isSetUp: false });
      await tellSession(services, tx, { sessionId, state });
      if (state === 'MAINTENANCE_DONE') await letGo(tx, sessionId);
      return undefined;
    });
  },

  takeUpAbort: (ref: SessionRef): Promise<boolean> => takeUpAbort(services, ref),

  /** Called by runs from before sessions could be aborted; may go with their path in workflows/requests.ts. */
  takeUpDeletion: (ref: SessionRef): Promise<boolean> => takeUpAbort(services, ref),

  /**
   * Nothing new is granted from here on, and work in flight comes to its end. The reason is shown at once, however long
   * the end takes.
   */
  stopWork: (ref: SessionRef & { readonly how: StopReason; readonly reason?: string }): Promise<Stopping> =>
    inSession(services, { sessionId: ref.sessionId }, async (tx, session) => {
      const isToBeDeleted = session.deleteRequestedAt !== null;
      if (session.state === 'MAINTENANCE_DONE') return { underWork: [], how: ref.how, isToBeDeleted };
      // A request to abort or delete a failing session does not wait for hosts in maintenance either.
      const how = isToBeAborted(session) ? 'aborting' : ref.how;
      const hosts = await findSessionHosts(tx, session.id);
      const givenBack = hosts.filter((host) => isToBeGivenBack(session, host, how));
      if (session.stopping !== how) {
        const why = ref.reason === undefined || isToBeDeleted ? {} : { failure: ref.reason };
        // A pause does not delay work in flight that comes to its end.
        await changeSession(tx, session.id, { stopping: how, pausedAt: null, pausedBecause: null, ...why });
        const level = how === 'failing' ? 'warn' : 'info';
        const { id: sessionId, state } = session;
        logFact(services, tx, { what: `session stops, ${how}`, level, sessionId, state, reason: ref.reason });
      }
      // Clears earlier failures: they are not failures of giving the host back.
      const blameless = how === 'aborting' ? { failure: null } : {};
      for (const host of givenBack) await changeHost(tx, host, { phase: 'releasing', ...blameless });
      const underWork = hosts.filter((host) => isPhaseUnderWork(host) || givenBack.includes(host));
      return { how, underWork: underWork.map(({ hostname }) => hostname), isToBeDeleted };
    }),

  async reconcileSession(ref: SessionRef): Promise<void> {
    await takeOverSession(services, ref);
    await reconcile(services, ref.sessionId);
  },

  /** @returns the reason why the session failed, with the hosts that it leaves disabled */
  failSession: ({ sessionId, reason }: SessionRef & { readonly reason: string }): Promise<string> =>
    inSession(services, { sessionId }, async (tx, session) => {
      if (hasFailedAlready(session) || session.state === 'MAINTENANCE_DONE') return session.failure ?? reason;
      await withdrawQuestions(services, tx, { sessionId });
      return recordFailure(services, tx, { session, reason });
    }),

  removeSession: ({ sessionId }: SessionRef): Promise<Removal> => removeSession(services, sessionId),

  async openCleanup({ sessionId }: SessionRef): Promise<CleanupOrders> {
    const isAlive = await isWorkflowOpen(services.client, sessionWorkflowId(sessionId));
    return inSession(services, { sessionId }, (_tx, session) => Promise.resolve(cleanupOrders(session, isAlive)));
  },
});

export type SessionActivities = ReturnType<typeof createSessionActivities>;

/**
 * The task of a cleanup: a session to be deleted, a session whose workflow ended without recording a failure, or none.
 */
export type CleanupOrders =
  { readonly kind: 'delete' } | { readonly kind: 'fail'; readonly reason: string } | { readonly kind: 'nothing' };

/**
 * Reads in the row whether the session is to be aborted: a message about it may have come late, or once more after a
 * reset.
 * @returns false when it is not: the message is void
 */
const takeUpAbort = async (services: Services, { sessionId }: SessionRef): Promise<boolean> => {
  // Read before this run becomes the run in force: a failed session that continues was aborted before.
  const before = await findSessionProgress(services.db, sessionId);
  if (before === null || before.deletedAt !== null || !isToBeAborted(before)) return false;
  return inSession(services, { sessionId }, async (tx, session) => {
    if (!isToBeAborted(session)) return false;
    await changeSession(tx, sessionId, { abortTakenUpAt: await databaseNow(tx) });
    return true;
  });
};

/** The failure of a session whose workflow ended before it could record one. */
const endedFromOutside =
  "the session's workflow was ended from outside (terminated in Temporal, or its history is gone); resume it to go on";

const cleanupOrders = (session: SessionProgress, isAlive: boolean): CleanupOrders => {
  if (session.deleteRequestedAt !== null) return { kind: 'delete' };
  // The caller saw the workflow dead a moment ago: the session may have ended by itself, or have been resumed.
  if (isAlive || session.state === 'MAINTENANCE_DONE' || hasFailedAlready(session)) return { kind: 'nothing' };
  // The session may have been failing already, and whoever ended it may have recorded the reason
  // (activities/upkeep/sweep-activities.ts).
  const why = isToBeAborted(session) ? abortedByAdmin : endedFromOutside;
  return { kind: 'fail', reason: session.failure ?? why };
};

/**
 * failing: moves in flight end and their hosts are enabled; hosts whose maintenance was announced are finished.
 * aborting: as failing, but plug-ins are cancelled and hosts in maintenance are given back as well.
 */
export type StopReason = 'failing' | 'aborting';

export interface Stopping {
  /** Hosts that have not come to their end. */
  readonly underWork: readonly string[];
  readonly how: StopReason;
  /** True when the session is removed after all have; older histories have no such field. */
  readonly isToBeDeleted?: boolean;
}

const isToBeEnabled = (session: SessionProgress, host: SessionHostRecord): boolean =>
  ['failed', 'waiting', 'set_aside'].includes(host.phase) && (!staysSetAside(host) || enablesFailedHosts(session));

/** An aborted or deleted session also enables, once, the hosts that an earlier failure has left disabled. */
const isToBeGivenBack = (session: SessionProgress, host: SessionHostRecord, how: StopReason): boolean => {
  // A host that is marked for maintenance is given back without it: a session that ends begins nothing.
  if (host.phase === 'emptying' || (host.phase === 'maintaining' && host.announcedAt === null)) return true;
  if (how === 'failing') return false;
  if (host.phase === 'maintaining') return true;
  const isLeftDisabled = host.disabled && host.disabledBefore === false;
  return session.stopping !== how && isLeftDisabled && isToBeEnabled(session, host);
};

/** Hosts that are being enabled again: once the session is done, nobody would see to them. */
const findReleasing = async (tx: Transaction, sessionId: string): Promise<readonly string[]> => {
  const hosts = await findSessionHosts(tx, sessionId);
  return hosts.filter(({ phase }) => phase === 'releasing').map(({ hostname }) => hostname);
};

/** A session that is done owns no hosts and has nothing to pause. */
const letGo = async (tx: Transaction, sessionId: string): Promise<void> => {
  await disownHosts(tx, sessionId);
  await changeSession(tx, sessionId, { pausedAt: null, pausedBecause: null });
};

const callingRunId = (): string => Context.current().info.workflowExecution?.runId ?? '';

const pointOf = ({ state, eventId }: StateEntry) => ({ state, eventId, runId: callingRunId() });

/** A repeat of the same activity; a later entry of the same state has another event. */
const isEntered = async (
  tx: Transaction,
  session: SessionProgress,
  { state, eventId }: StateEntry,
): Promise<boolean> => {
  const point = await findEntryPoint(tx, session.id, state);
  return session.state === state && point?.runId === callingRunId() && point.eventId === eventId;
};

/**
 * True when a host was retried after the decision that all hosts are over. Asks only built-in workflows, since others
 * may end their work on hosts whenever they like.
 */
const isRetryingIn = async (tx: Transaction, { id, state, workflow }: SessionProgress): Promise<boolean> => {
  const isRolling = state === 'PLANNED_MAINTENANCE' || state === 'START_MAINTENANCE';
  if (!isRolling || !workflowPlugins.has(workflow)) return false;
  return (await findSessionHosts(tx, id)).some((host) => !isDone(host));
};

/** The answers are locked: a new answer is seen here, or comes when the session has continued. */
const isUnsettledIn = async (tx: Transaction, { id: sessionId, state }: SessionProgress): Promise<boolean> => {
  const questions = await lockProjectQuestions(tx, { sessionId, state });
  return isUnsettled(questions, await findSessionProjects(tx, sessionId));
};

/** False when a resumed session stops again before it has continued, because that is another failure. */
const hasFailedAlready = ({ state, stopping }: SessionProgress): boolean =>
  state === 'MAINTENANCE_FAILED' && stopping === null;
