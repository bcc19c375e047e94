/**
 * The files of sessions on this machine: fetched, verified and unpacked into a temporary folder, then renamed to
 * `<root>/<session_id>`. The folder is complete or absent, and a repeat starts afresh. Each worker has its own copy.
 * The digests that the session's set-up recorded make sure that all copies are the same.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createTurns } from '../../calls/turns';
import { shownUrl } from '../addresses/shown-url';
import { DownloadRefused, SourceAway } from './download-refused';
import { fetchFile, type FetchProgress } from './fetch-file';
import type { Source } from './open-response';
import { type PackageUrl, parsePackageUrl } from './package-url';
import {
  type DownloadedFile,
  findSessionFolders,
  type FoundFolder,
  moveIntoPlace,
  readDownloaded,
  removeFolder,
  sessionFolder,
  type SessionFolders,
  withPartFolder,
} from './session-folder';
import { createUnpack, type Unpack } from './unpack';
import type { UnpackLimits } from './unpack-limits';

export interface DownloadLimits extends UnpackLimits {
  /** The maximum number of bytes that a session fetches. */
  readonly downloadBytes: number;
  /** The time limit of a session's downloads, including the time in which a server is down. */
  readonly downloadSeconds: number;
}

export interface WantedFile {
  /** The URL from the create request, with its fragment. */
  readonly url: string;
  /** Recorded by the session's set-up. A file that has changed since then is refused. */
  readonly sha256?: string;
}

export interface SessionFiles {
  /** The folder with the files, in `actions` and `workflow`. Nothing in it may change. */
  readonly folder: string;
  /** Files in the order of the wanted downloads. */
  readonly files: readonly DownloadedFile[];
}

export interface FilesRequest {
  readonly sessionId: string;
  readonly wanted: readonly WantedFile[];
  readonly signal: AbortSignal;
  /** Called often; `index` is the position in `wanted`. */
  readonly onProgress?: (index: number, progress: FetchProgress) => void;
  /** Checks newly fetched files before they are put into place. When it throws, no files stay. */
  readonly accept?: (files: SessionFiles) => Promise<void>;
}

export interface Downloads {
  /**
   * Makes sure that the session's files are on this machine.
   * @throws DownloadRefused when another attempt does not help; other errors may pass by themselves
   */
  provide(request: FilesRequest): Promise<SessionFiles>;
  /** Removes all files of a session from this machine. */
  remove(sessionId: string): Promise<void>;
  /**
   * Removes the files that killed processes left, and all files of the deleted sessions. `findDeleted` picks these from
   * the sessions that have files.
   */
  tidy(findDeleted: (sessionIds: readonly string[]) => Promise<readonly string[]>): Promise<void>;
}

export interface DownloadParts extends Source {
  readonly root: string;
  readonly limits: DownloadLimits;
}

interface DownloadsInFolders extends DownloadParts, SessionFolders {}

export const createDownloads = (given: DownloadParts): Downloads => {
  const parts: DownloadsInFolders = { ...given, ownParts: new Set() };
  const inTurn = createTurns();
  const patience = createPatience(parts.limits.downloadSeconds);
  return {
    provide: (request) =>
      inTurn(request.sessionId, () => patience(request, (signal) => provide(parts, { ...request, signal }))),
    remove: (sessionId) => removeFolders(parts, (found) => found.sessionId === sessionId),
    async tidy(findDeleted) {
      const sessionIds = new Set((await findSessionFolders(parts)).map(({ sessionId }) => sessionId));
      const deleted = sessionIds.size === 0 ? [] : await findDeleted([...sessionIds]);
      await removeFolders(parts, (found) => found.isLeftOver || deleted.includes(found.sessionId));
    },
  };
};

const removeFolders = async (folders: SessionFolders, isToGo: (found: FoundFolder) => boolean): Promise<void> => {
  for (const found of await findSessionFolders(folders)) if (isToGo(found)) await removeFolder(found.path);
};

/** Attempts repeat again and again. This is the time, from the first failed attempt on, in which one has to succeed. */
const createPatience = (seconds: number) => {
  const failingSince = new Map<string, number>();
  const lastProblems = new Map<string, string>();
  const forget = (sessionId: string): void => {
    failingSince.delete(sessionId);
    lastProblems.delete(sessionId);
  };
  return async <T>({ sessionId, signal }: FilesRequest, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const beganMs = failingSince.get(sessionId) ?? performance.now();
    const remainingMs = Math.max(0, beganMs + seconds * 1000 - performance.now());
    const timeUp = AbortSignal.timeout(Math.ceil(remainingMs));
    failingSince.set(sessionId, beganMs);
    try {
      const result = await attempt(AbortSignal.any([signal, timeUp]));
      forget(sessionId);
      return result;
    } catch (error) {
      const isOver = performance.now() - beganMs >= seconds * 1000;
      const before = lastProblems.get(sessionId);
      if (isOver || signal.aborted || error instanceof DownloadRefused) forget(sessionId);
      else if (error instanceof SourceAway) lastProblems.set(sessionId, error.message);
      if (isOver && !signal.aborted) throw givenUp({ error, before, seconds });
      throw error;
    }
  };
};

interface InterruptedFetch {
  readonly error: unknown;
  /** The failure of the attempt before: an attempt with little time left cannot find out what is wrong. */
  readonly before: string | undefined;
  readonly seconds: number;
}

const givenUp = ({ error, before, seconds }: InterruptedFetch): DownloadRefused => {
  const isProblem = error instanceof SourceAway || error instanceof DownloadRefused;
  const problems = [...(isProblem ? [error.message] : []), ...(before === undefined ? [] : [before])];
  const last = problems.length === 0 ? '' : `; at last: ${[...new Set(problems)].join('; before: ')}`;
  return new DownloadRefused(`the downloads did not succeed within ${seconds} s (PARLEY_DOWNLOAD_SECONDS)${last}`, {
    cause: error,
  });
};

const provide = async (parts: DownloadsInFolders, request: FilesRequest): Promise<SessionFiles> => {
  const folder = sessionFolder(parts.root, request.sessionId);
  const present = await readDownloaded(folder);
  if (present !== undefined && isAsRecorded(present, request.wanted)) return { folder, files: present };
  return withPartFolder(parts, request.sessionId, async (part) => {
    const files = await fillFolder(parts, { ...request, folder: part });
    await request.accept?.({ folder: part, files });
    await moveIntoPlace(part, { folder, files });
    return { folder, files };
  });
};

/**
 * Compares the files with the digests that the set-up recorded. Until it has recorded them, every attempt fetches
 * again: the packages may have been corrected meanwhile.
 */
const isAsRecorded = (present: readonly DownloadedFile[], wanted: readonly WantedFile[]): boolean =>
  present.length === wanted.length && wanted.every(({ sha256 }, index) => sha256 === present[index]?.sha256);

const fillFolder = async (
  parts: DownloadParts,
  request: FilesRequest & { readonly folder: string },
): Promise<readonly DownloadedFile[]> => {
  const unpack = createUnpack(parts.limits);
  const files: DownloadedFile[] = [];
  let leftBytes = parts.limits.downloadBytes;
  for (const [index, wanted] of request.wanted.entries()) {
    const found = parseWanted(parts, wanted);
    const fetched = await fetchFile(parts, {
      url: found.url,
      toFile: path.join(request.folder, storedName(found, index)),
      mostBytes: leftBytes,
      sha256: found.sha256 ?? wanted.sha256,
      onProgress: (progress) => request.onProgress?.(index, progress),
      signal: request.signal,
    });
    leftBytes -= fetched.bytes;
    assertDigest(found, wanted, fetched.sha256);
    files.push({ fileName: found.fileName, ...fetched });
    await unpackInto(request.folder, { found, index, unpack });
  }
  return files;
};

const parseWanted = ({ policy }: DownloadParts, { url }: WantedFile): PackageUrl => {
  const parsed = parsePackageUrl(url, policy);
  if (parsed.kind === 'refused') throw new DownloadRefused(`${shownUrl(url)} ${parsed.because}`);
  return parsed.found;
};

/** A package is kept beside its unpacked files, under a name that no stored file has. */
const storedName = ({ extract, fileName }: PackageUrl, index: number): string =>
  extract === undefined ? fileName : `.package-${index}`;

const assertDigest = ({ url, sha256 }: PackageUrl, wanted: WantedFile, actual: string): void => {
  if (sha256 !== undefined && sha256 !== actual) {
    throw new DownloadRefused(`${shownUrl(url)} has the SHA-256 ${actual}, not ${sha256} as its URL says`);
  }
  if (wanted.sha256 !== undefined && wanted.sha256 !== actual) {
    const because = `has changed since the session was set up: its SHA-256 was ${wanted.sha256} and is ${actual}`;
    throw new DownloadRefused(`${shownUrl(url)} ${because}; put the former file back, or delete the session`);
  }
};

interface Fetched {
  readonly found: PackageUrl;
  readonly index: number;
  readonly unpack: Unpack;
}

const unpackInto = async (folder: string, { found, index, unpack }: Fetched): Promise<void> => {
  if (found.extract === undefined) return;
  const { into, kind } = found.extract;
  const target = path.join(folder, into);
  await mkdir(target, { recursive: true, mode: 0o700 });
  const file = path.join(folder, storedName(found, index));
  await unpack({ file, fileName: found.fileName, kind, folder: target });
  await rm(file);
};
