/** Implements WorkflowCalls with Temporal's client. */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import Long from 'long';
import type { Logger } from 'pino';
import { waitAtMost } from '../calls/time-limit';
import type { Database } from '../prisma/database';
import { isAttended } from '../prisma/hosts/attended-hosts';
import { findEntryPoint } from '../prisma/session/entry-points';
import { findSessionProgress } from '../prisma/session/session-progress';
import type { SessionRequest } from '../rules/requests/session-request';
import { hasGrpcCode } from './grpc-codes';
import { spaceWakeUps } from './spaced-wake-ups';
import type { RequestAnswer, WorkflowCalls } from './workflow-calls';
import {
  abort,
  abortSession,
  cleanupWorkflowId,
  type HostInput,
  hostWorkflowId,
  pauseSession,
  resumeSession,
  searchAttributes,
  type SessionInput,
  sessionWorkflowId,
  taskQueue,
  wakeUp,
  webhookDeliveriesId,
  type WebhookDeliveriesInput,
  workflowTypes,
} from './workflow-messages';

export interface CallServices {
  readonly client: Client;
  readonly db: Database;
  readonly logger: Logger;
  /** The time limit of a start, a reset or a cleanup. Left out: as long as requests to the API can wait. */
  readonly actWithinMs?: number;
  /** The time that an admin waits until a workflow confirms a request. Left out: five seconds. */
  readonly answerWithinMs?: number | undefined;
  /** True while a session is about to look at the facts in this process. Left out: nobody knows. */
  readonly isAboutToLook?: (sessionId: string) => boolean;
}

const { RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL, RESET_REAPPLY_EXCLUDE_TYPE_UPDATE } =
  temporal.api.enums.v1.ResetReapplyExcludeType;
/**
 * The time, in milliseconds, that a call waits for the delivery of a signal. The delivery is retried in the background
 * after that.
 */
const deliveryMs = 2_000;
/** Spaces the wake-ups of a session by one process. */
const wakeUpSpacing = { leastMs: 200, mostMs: 1_000, eachMs: 20 };
/** The milliseconds after which an admin is told that the request is recorded and not taken up yet. */
const usualAnswerMs = 5_000;
/** The time limit of starts and resets, in milliseconds. The sweeper repeats calls that were not answered in time. */
const usualActMs = 8_000;

export const createWorkflowCalls = (services: CallServices): WorkflowCalls => ({
  start: (sessionId) => inTime(services, () => startFirst(services, sessionId)),
  wakeSession: spaceWakeUps((sessionId) => waitAtMost(wakeSession(services, sessionId), deliveryMs), {
    ...wakeUpSpacing,
    isAwake: services.isAboutToLook,
  }),
  wakeHost: (sessionId, hostname) => wakeHost(services, { sessionId, hostname }),
  request: (sessionId, request) => requestOf(services, { sessionId, request }),
  abort: (sessionId) => signalIfOpen(services, sessionWorkflowId(sessionId), abort),
  startHost: (sessionId, hostname) => inTime(services, () => startHost(services, { sessionId, hostname })),
  startCleanup: (sessionId) => inTime(services, () => startCleanup(services, sessionId)),
  continueFailed: (sessionId) => inTime(services, () => resetSession(services, sessionId)),
  deliverEvents: (lane) => waitAtMost(startDeliveries(services, lane), deliveryMs),
});

const inTime = ({ client, actWithinMs = usualActMs }: CallServices, act: () => Promise<void>): Promise<void> =>
  client.withDeadline(Date.now() + actWithinMs, act);

type Signal = typeof wakeUp | typeof abort;

type ReusePolicy = 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE';

interface SessionStart {
  readonly input: SessionInput;
  /** The state that the list in Temporal Web UI shows until the workflow enters one. */
  readonly state: string;
  readonly workflowIdReusePolicy: ReusePolicy;
}

const startFirst = async (services: CallServices, sessionId: string): Promise<void> => {
  const session = await findSessionProgress(services.db, sessionId);
  if (session === null) return;
  const { state } = session;
  await startSession(services, { input: { sessionId }, state, workflowIdReusePolicy: 'REJECT_DUPLICATE' });
};

const startSession = ({ client }: CallServices, { input, state, workflowIdReusePolicy }: SessionStart): Promise<void> =>
  startedAlready(
    client.workflow.start(workflowTypes.session, {
      taskQueue,
      workflowId: sessionWorkflowId(input.sessionId),
      workflowIdReusePolicy,
      typedSearchAttributes: [{ key: searchAttributes.state, value: state }],
      args: [input],
    }),
  );

const startCleanup = ({ client }: CallServices, sessionId: string): Promise<void> =>
  startedAlready(
    client.workflow.start(workflowTypes.cleanup, {
      taskQueue,
      workflowId: cleanupWorkflowId(sessionId),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      args: [{ sessionId }],
    }),
  );

/** Starts it in the same way as its session does (workflows/host-workflows.ts), and the session adopts it. */
const startHost = ({ client }: CallServices, host: HostInput): Promise<void> =>
  startedAlready(
    client.workflow.start(workflowTypes.host, {
      taskQueue,
      workflowId: hostWorkflowId(host.sessionId, host.hostname),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: [{ key: searchAttributes.host, value: host.hostname }],
      args: [host],
    }),
  );

const startDeliveries = async ({ client, logger }: CallServices, lane: WebhookDeliveriesInput): Promise<void> => {
  try {
    await client.workflow.signalWithStart(workflowTypes.webhookDeliveries, {
      taskQueue,
      workflowId: webhookDeliveriesId(lane),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      args: [lane],
      signal: wakeUp,
    });
  } catch (error) {
    logger.warn({ err: error, ...lane }, 'the deliveries to a webhook could not be started; the sweeper tries again');
  }
};

const startedAlready = async (start: Promise<unknown>): Promise<void> => {
  try {
    await start;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
};

/**
 * When Temporal is down, the client tries for some twenty seconds. A caller that has recorded a fact does not wait for
 * that.
 */
const signalIfOpen = (services: CallServices, workflowId: string, signal: Signal): Promise<void> =>
  waitAtMost(
    deliverIfOpen(services, workflowId, signal).then(() => undefined),
    deliveryMs,
  );

/** A wake-up that does not arrive costs time and nothing else: the workflow looks at the facts again by itself. */
const deliverIfOpen = async (
  { client, logger }: CallServices,
  workflowId: string,
  signal: Signal,
): Promise<'closed' | undefined> => {
  try {
    await client.workflow.getHandle(workflowId).signal(signal.name);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'closed';
    logger.warn({ err: error, workflowId, signal: signal.name }, 'a signal did not reach its workflow');
  }
  return undefined;
};

/** The workflow that works for the session now: its own, or its cleanup. */
const wakeSession = async (services: CallServices, sessionId: string): Promise<void> => {
  if ((await deliverIfOpen(services, sessionWorkflowId(sessionId), wakeUp)) !== 'closed') return;
  await deliverIfOpen(services, cleanupWorkflowId(sessionId), wakeUp);
};

/** A worker that attends the host sees by itself what happened. */
const wakeHost = async (services: CallServices, host: HostInput): Promise<void> => {
  const isSeen = await isAttended(services.db, host).catch(() => false);
  if (!isSeen) await signalIfOpen(services, hostWorkflowId(host.sessionId, host.hostname), wakeUp);
};

const updateFor = { pause: pauseSession, resume: resumeSession, abort: abortSession } as const;

const requestOf = async (
  { client, logger, answerWithinMs = usualAnswerMs }: CallServices,
  { sessionId, request }: { readonly sessionId: string; readonly request: SessionRequest },
): Promise<RequestAnswer> => {
  const handle = client.workflow.getHandle(sessionWorkflowId(sessionId));
  try {
    await client.withDeadline(Date.now() + answerWithinMs, () => handle.executeUpdate(updateFor[request]));
    return { kind: 'takenUp' };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
      return { kind: 'refused', because: error.cause.message };
    }
    logger.warn({ err: error, sessionId, request }, 'no workflow answered a request; its row has it all the same');
    return { kind: 'unanswered' };
  }
};

const resetSession = async (services: CallServices, sessionId: string): Promise<void> => {
  const session = await findSessionProgress(services.db, sessionId);
  if (session === null || session.continueState === null || session.continueRequestId === null) return;
  const { continueState: state, continueRequestId: requestId } = session;
  const entry = await findEntryPoint(services.db, sessionId, state);
  if (entry !== null && (await resetTo(services, { sessionId, ...entry, requestId }))) return;
  // The history no longer exists (retention). The facts are all in the database, so a new run enters the state again.
  // When the set-up was not finished, or not even recorded before an abort, the run begins with it.
  const isSetUp = entry !== null && !entry.isSetUp;
  const input: SessionInput = { sessionId, ...(isSetUp && { from: { state, how: 'enter' } }) };
  await startSession(services, { input, state, workflowIdReusePolicy: 'ALLOW_DUPLICATE' });
};

interface Reset {
  readonly sessionId: string;
  readonly state: string;
  readonly runId: string;
  readonly eventId: number;
  readonly requestId: string;
}

/** False when the history for the reset no longer exists. */
const resetTo = async ({ client }: CallServices, reset: Reset): Promise<boolean> => {
  try {
    await client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId: sessionWorkflowId(reset.sessionId), runId: reset.runId },
      reason: `continued from ${reset.state}`,
      workflowTaskFinishEventId: Long.fromNumber(reset.eventId),
      requestId: reset.requestId,
      // Exactly these two: excluding more breaks host workflows that are open.
      resetReapplyExcludeTypes: [RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL, RESET_REAPPLY_EXCLUDE_TYPE_UPDATE],
    });
    return true;
  } catch (error) {
    if (hasGrpcCode(error, 'NOT_FOUND', 'INVALID_ARGUMENT')) return false;
    throw error;
  }
};
