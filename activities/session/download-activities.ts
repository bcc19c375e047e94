/**
 * A session's downloads. Its set-up fetches them first, and checks that the packages contain everything that the
 * session needs. Then every worker fetches them that runs one of its plug-ins. All workers must have the files that the
 * set-up accepted.
 */
import path from 'node:path';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/client';
import { script, scriptOf } from '../../plugins/actions/script';
import { DownloadRefused, SourceAway } from '../../plugins/downloads/download-refused';
import type { SessionFiles } from '../../plugins/downloads/downloads';
import type { FetchProgress } from '../../plugins/downloads/fetch-file';
import { describeContents, findModule, findScript } from '../../plugins/downloads/package-contents';
import { startStates } from '../../plugins/workflows/registry';
import { databaseNow } from '../../prisma/database';
import {
  listDownloads,
  recordDownloaded,
  recordDownloadProblem,
  recordDownloadProgress,
  recordDownloadStart,
  type SessionDownload,
} from '../../prisma/session/session-downloads';
import {
  changeSession,
  findSessionProgress,
  type SessionAction,
  type SessionChange,
  type SessionProgress,
} from '../../prisma/session/session-progress';
import { mayPrepare } from '../../rules/steering/may-begin';
import type { Services } from '../services';
import { type HeldBack, heldBack } from './answer-held-back';
import { inSession, type SessionRef } from './run-in-force';
import { whyUnfit } from './why-unfit';

/** The results of the set-up's look into the packages. */
export interface FoundInPackages {
  /** Set when the session's workflow is not built in: its module, by its path within the session's folder. */
  readonly workflowModule?: string;
}

export const createDownloadActivities = (services: Services) => ({
  /** @returns when the session's files are here, accepted and recorded */
  async downloadPackages(ref: SessionRef): Promise<FoundInPackages | HeldBack> {
    const session = await findSessionProgress(services.db, ref.sessionId);
    if (session === null || session.deletedAt !== null) {
      throw ApplicationFailure.nonRetryable(`session ${ref.sessionId} is deleted`, 'NotInForce');
    }
    const held = await inSession(services, ref, async (tx, now) => {
      if (!mayPrepare(now)) return heldBack(now, await databaseNow(tx));
      await recordDownloadStart(tx, session.id);
      return undefined;
    });
    if (held) return held;
    try {
      return await acceptPackages(services, { ref, session });
    } catch (error) {
      await noteProblem(services, session.id, error);
      if (!(error instanceof DownloadRefused)) throw error;
      throw ApplicationFailure.nonRetryable(`download: ${error.message}`, 'DownloadRefused');
    }
  },
});

export type DownloadActivities = ReturnType<typeof createDownloadActivities>;

/** The folder of the session's files on this machine; undefined for a session without downloads. */
export const provideFiles = async (
  services: Pick<Services, 'db' | 'downloads'>,
  sessionId: string,
): Promise<string | undefined> => {
  const downloads = await listDownloads(services.db, sessionId);
  if (downloads.length === 0) return undefined;
  if (downloads.some(({ sha256 }) => sha256 === null)) {
    throw new DownloadRefused('the set-up of the session has not accepted its downloads');
  }
  const signal = Context.current().cancellationSignal;
  return (await services.downloads.provide({ sessionId, wanted: downloads.map(asWanted), signal })).folder;
};

const asWanted = ({ url, sha256 }: SessionDownload) => ({ url, ...(sha256 !== null && { sha256 }) });

interface SetUp {
  readonly ref: SessionRef;
  readonly session: SessionProgress;
}

const acceptPackages = async (services: Services, { ref, session }: SetUp): Promise<FoundInPackages> => {
  const downloads = await listDownloads(services.db, session.id);
  const progress = createProgressRecord(services, session.id);
  const record = (files: SessionFiles['files'], workflow?: PackagedWorkflow): Promise<void> =>
    inSession(services, ref, async (tx) => {
      await recordDownloaded(tx, session.id, files);
      if (workflow !== undefined) await changeSession(tx, session.id, workflow);
    });
  let workflow: PackagedWorkflow | undefined;
  try {
    const { folder, files } = await services.downloads.provide({
      sessionId: session.id,
      wanted: downloads.map(asWanted),
      signal: Context.current().cancellationSignal,
      onProgress: (index, reached) => progress.note(index, reached),
      async accept(found) {
        await assertPromisesKept(services, session, found.folder);
        workflow = await acceptWorkflow(services, session, found.folder);
        // Records first and puts the files into place then: code that finds the files may rely on the record.
        await progress.settled();
        await record(found.files, workflow);
      },
    });
    workflow ??= await acceptWorkflow(services, session, folder);
    await record(files, workflow);
    return workflow === undefined ? {} : { workflowModule: workflow.workflowModule };
  } finally {
    await progress.settled();
  }
};

interface PackagedWorkflow extends SessionChange {
  /** Path of the module within the session's folder. */
  readonly workflowModule: string;
}

/** @throws DownloadRefused when the packages' workflow would not run */
const acceptWorkflow = async (
  { checkWorkflow }: Pick<Services, 'checkWorkflow'>,
  session: SessionProgress,
  folder: string,
): Promise<PackagedWorkflow | undefined> => {
  const { id: sessionId, workflow } = session;
  const file = startStates.has(workflow) ? undefined : await findModule(folder, { kind: 'workflow', name: workflow });
  if (file === undefined) return undefined;
  const module = path.relative(folder, file);
  const signal = Context.current().cancellationSignal;
  const checked = await checkWorkflow({ sessionId, workflow, folder, module, signal });
  const name = `workflow ${workflow} (${module})`;
  if (checked.kind === 'unfit') throw new DownloadRefused(`${name}: ${checked.because}`);
  const unfit = whyUnfit(session, checked);
  if (unfit !== undefined) throw new DownloadRefused(`${name} ${unfit}`);
  return { workflowModule: module, rolling: checked.rolling };
};

/** @throws DownloadRefused that lists the packages' contents, when something that the session needs is not in them */
const assertPromisesKept = async (
  services: Pick<Services, 'actionPlugins'>,
  session: SessionProgress,
  folder: string,
): Promise<void> => {
  const missing = [
    ...(await missingWorkflow(session, folder)),
    ...(await Promise.all(session.actions.map((action) => missingOf(services, action, folder)))).flat(),
  ];
  if (missing.length === 0) return;
  throw new DownloadRefused(`${[...new Set(missing)].join('; ')}; ${await describeContents(folder)}`);
};

const missingWorkflow = async ({ workflow }: SessionProgress, folder: string): Promise<string[]> => {
  if (startStates.has(workflow)) return [];
  const module = await findModule(folder, { kind: 'workflow', name: workflow });
  return module === undefined ? [`workflow ${workflow} is neither built in nor in the packages`] : [];
};

const missingOf = async (
  { actionPlugins }: Pick<Services, 'actionPlugins'>,
  { plugin, metadata }: SessionAction,
  folder: string,
): Promise<string[]> => {
  if (plugin === script.name) {
    const name = scriptOf(metadata) ?? '';
    const file = await findScript(folder, name);
    return file === undefined
      ? [`script ${JSON.stringify(name)} is not an executable file in the packages' actions`]
      : [];
  }
  if (actionPlugins.has(plugin)) return [];
  const module = await findModule(folder, { kind: 'actions', name: plugin });
  return module === undefined ? [`action plug-in ${plugin} is neither built in nor in the packages`] : [];
};

/** The interval at which progress is written. */
const recordEveryMs = 500;

/** Writes progress for the detail now and then, one write at a time. */
const createProgressRecord = ({ db, logger }: Pick<Services, 'db' | 'logger'>, sessionId: string) => {
  let lastMs = Number.NEGATIVE_INFINITY;
  let lastIndex = -1;
  let writing = Promise.resolve();
  const write = async (index: number, { bytes, sizeBytes = null }: { bytes: number; sizeBytes?: number | null }) => {
    const place = { sessionId, position: index };
    await recordDownloadProgress(db, place, { state: 'fetching', bytes, sizeBytes }).catch((error: unknown) =>
      logger.warn({ err: error, sessionId }, 'the progress of a download could not be recorded'),
    );
  };
  return {
    note(index: number, progress: FetchProgress): void {
      const isOver = progress.bytes === progress.sizeBytes;
      if (index === lastIndex && !isOver && performance.now() - lastMs < recordEveryMs) return;
      lastMs = performance.now();
      lastIndex = index;
      Context.current().heartbeat({ file: index, ...progress });
      writing = writing.then(() => write(index, progress));
    },
    /** Resolves when nothing is being written any more. */
    settled: (): Promise<void> => writing,
  };
};

/** Records what the detail shows while the download is tried again, or after it was refused. */
const noteProblem = async ({ db }: Pick<Services, 'db'>, sessionId: string, error: unknown): Promise<void> => {
  if (!(error instanceof DownloadRefused || error instanceof SourceAway)) return;
  await recordDownloadProblem(db, sessionId, error.message);
};
