/**
 * The folder of a session's files on this machine, `<root>/<session_id>`, and the temporary folders beside it. It
 * belongs to this service alone, and is either complete or absent: it is filled under another name and then renamed.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { errorCode } from '../addresses/error-facts';
import { DownloadRefused } from './download-refused';

const DownloadedFilesSchema = Type.Array(
  Type.Object({ fileName: Type.String(), sha256: Type.String(), bytes: Type.Integer() }),
);

/** The facts of a file at the time when it was fetched. */
export interface DownloadedFile {
  readonly fileName: string;
  /** Digest in hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

const listName = '.parley.json';

export const sessionFolder = (root: string, sessionId: string): string => path.join(root, sessionId);

/** Undefined when the path does not exist. */
const statOf = async (file: string) => {
  try {
    return await lstat(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** @throws DownloadRefused when another user made the folder, or could write to it */
const assertOwn = async (folder: string): Promise<void> => {
  const stats = await statOf(folder);
  if (stats === undefined) return;
  const isOwn = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
  if (!isOwn) throw new DownloadRefused(`${folder} is not a folder of this service's own; remove it on this machine`);
};

/** The contents of the session's folder; undefined when it does not exist, or was not filled by this service. */
export const readDownloaded = async (folder: string): Promise<readonly DownloadedFile[] | undefined> => {
  await assertOwn(folder);
  try {
    const files: unknown = JSON.parse(await readFile(path.join(folder, listName), 'utf8'));
    return Value.Check(DownloadedFilesSchema, files) ? files : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Distinguishes machines that share a disk. Processes of one machine are distinguished by their IDs. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const partMark = '.part-';

/** The folder that has the folders of all sessions. */
export interface SessionFolders {
  readonly root: string;
  /** The temporary folders that this process fills. */
  readonly ownParts: Set<string>;
}

/** A temporary folder beside the session's. `use` renames it, or else it is removed. */
export const withPartFolder = async <T>(
  { root, ownParts }: SessionFolders,
  sessionId: string,
  use: (part: string) => Promise<T>,
): Promise<T> => {
  await mkdir(root, { recursive: true });
  const part = await mkdtemp(path.join(root, `${sessionId}${partMark}${machine}-${process.pid}-`));
  ownParts.add(part);
  try {
    return await use(part);
  } finally {
    ownParts.delete(part);
    await rm(part, { recursive: true, force: true });
  }
};

/**
 * Completes the temporary folder and gives it the session's name. When another process was faster with the same files,
 * its folder stays. A folder of an earlier set-up is replaced.
 */
export const moveIntoPlace = async (
  part: string,
  { folder, files }: { readonly folder: string; readonly files: readonly DownloadedFile[] },
): Promise<void> => {
  await writeFile(path.join(part, listName), JSON.stringify(files), { flag: 'wx', mode: 0o600 });
  const before = await readDownloaded(folder);
  if (JSON.stringify(before) === JSON.stringify(files)) return;
  if ((await statOf(folder)) !== undefined) await rm(folder, { recursive: true, force: true });
  await rename(part, folder);
};

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const sessionName = new RegExp(`^(${uuid})(?:${partMark}([0-9a-f]{8})-([0-9]+)-.+)?$`);

export interface FoundFolder {
  readonly path: string;
  readonly sessionId: string;
  /** A temporary folder whose process has ended. */
  readonly isLeftOver: boolean;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
};

/** Folders under the root whose names are session IDs. */
export const findSessionFolders = async ({ root, ownParts }: SessionFolders): Promise<FoundFolder[]> => {
  const names = await readdir(root).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, sessionId, ofMachine, pid] = sessionName.exec(name) ?? [];
    if (sessionId === undefined) return [];
    const found = path.join(root, name);
    const isFilledBy = (id: number): boolean => (id === process.pid ? ownParts.has(found) : isAlive(id));
    return [{ path: found, sessionId, isLeftOver: ofMachine === machine && !isFilledBy(Number(pid)) }];
  });
};

/** Removes a folder with its contents. Another user's folder stays. */
export const removeFolder = async (folder: string): Promise<void> => {
  const stats = await statOf(folder);
  if (stats?.uid !== process.getuid?.()) return;
  await rm(folder, { recursive: true, force: true });
};
