/**
 * Every worker process serves the main queue. Beside it, the process serves the task queues of the sessions whose
 * workflow their packages brought; the main queue never waits for them. It looks for such sessions from time to time.
 * Failed sessions are among them, since they may be continued, until the sweeper finds that a session is over for good.
 */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Services } from '../activities/services';
import { DownloadRefused, SourceAway } from '../plugins/downloads/download-refused';
import { clearServingProblem, listDownloads, recordServingProblem } from '../prisma/session/session-downloads';
import { findServedSessions, type ServedSession } from '../prisma/upkeep/served-sessions';
import { accessOf, type TemporalAccess } from '../temporal/temporal-access';
import { sessionTaskQueue } from '../temporal/workflow-messages';
import { startPackageWorker } from './package-worker';

export interface SessionWorkersParts extends TemporalAccess {
  readonly namespace: string;
  readonly services: Pick<Services, 'db' | 'downloads' | 'logger'>;
  /** The bundle of the service's own workflows. */
  readonly workflowBundle: WorkflowBundleOption;
}

const lookEveryMs = 2_000;
/**
 * Tries a session again that cannot be served now: the packages' server may be down, or somebody may put a file back.
 */
const tryAgainMs = 5_000;

interface Serving {
  /** Ends when the queue is no longer served. Never fails. */
  readonly stop: () => Promise<void>;
}

/** @returns a function that stops serving, and waits for the running tasks */
export const serveSessions = (parts: SessionWorkersParts): (() => Promise<void>) => {
  const servings = new Map<string, Serving>();
  let round = Promise.resolve();
  const look = () => {
    round = round
      .then(() => adjust(parts, servings))
      .catch((error: unknown) =>
        parts.services.logger.warn({ err: error }, 'sessions to serve could not be looked up'),
      );
  };
  look();
  const timer = setInterval(look, lookEveryMs);
  return async () => {
    clearInterval(timer);
    await round;
    await Promise.all([...servings.values()].map(({ stop }) => stop()));
  };
};

const adjust = async (parts: SessionWorkersParts, servings: Map<string, Serving>): Promise<void> => {
  const sessions = await findServedSessions(parts.services.db);
  for (const session of sessions) {
    // A deleted session has no files any more. A worker that serves it already continues until its workflow has ended.
    if (!session.isDeleted && !servings.has(session.id)) servings.set(session.id, startServing(parts, session));
  }
  const wanted = new Set(sessions.map(({ id }) => id));
  for (const [id, { stop }] of servings) {
    if (wanted.has(id)) continue;
    servings.delete(id);
    void stop();
  }
};

const startServing = (parts: SessionWorkersParts, session: ServedSession): Serving => {
  const stopping = new AbortController();
  const ended = serveUntil(stopping.signal, parts, session);
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
};

const serveUntil = async (signal: AbortSignal, parts: SessionWorkersParts, session: ServedSession): Promise<void> => {
  const isStopped = () => signal.aborted;
  while (!isStopped()) {
    try {
      await serve(signal, parts, session);
      return;
    } catch (error) {
      if (isStopped()) return;
      await tellProblem(parts, session, error);
      await pause(tryAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
};

/**
 * @returns when the signal is aborted
 * @throws when the session cannot be served, or its process has ended
 */
const serve = async (signal: AbortSignal, parts: SessionWorkersParts, session: ServedSession): Promise<void> => {
  const { namespace, workflowBundle, services } = parts;
  const { id: sessionId, workflowModule: module } = session;
  const wanted = (await listDownloads(services.db, sessionId)).map(({ url, sha256 }) => ({
    url,
    ...(sha256 !== null && { sha256 }),
  }));
  const { folder } = await services.downloads.provide({ sessionId, wanted, signal });
  await clearServingProblem(services.db, { sessionId, machine });
  const taskQueue = sessionTaskQueue(sessionId);
  const logger = services.logger.child({ sessionId });
  const given = { ...accessOf(parts), namespace, workflowBundle, taskQueue, folder, module, logger };
  const worker = await startPackageWorker(given);
  const end = await Promise.race([worker.ended, untilAborted(signal)]);
  if (end !== 'aborted') throw new Error(`the process of the session's own workflow ${end}`);
  await worker.stop();
};

const untilAborted = (signal: AbortSignal): Promise<'aborted'> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });

const machine = `worker on ${hostname()}: `;

/** Reports the failure in the log and in the detail: the session stands still while no worker serves it. */
const tellProblem = async ({ services }: SessionWorkersParts, { id }: ServedSession, error: unknown): Promise<void> => {
  const { db, logger } = services;
  logger.error({ err: error, sessionId: id }, "the session's own workflow cannot be served here");
  const isKnown = error instanceof DownloadRefused || error instanceof SourceAway;
  const problem = isKnown ? error.message : 'the workflow of the packages cannot be served; its log says why';
  await recordServingProblem(db, { sessionId: id, machine, problem }).catch((failure: unknown) =>
    logger.warn({ err: failure, sessionId: id }, 'why it is not served could not be recorded'),
  );
};
