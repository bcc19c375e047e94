/**
 * The folder of a session's files on this machine, `<root>/<session_id>`, and the temporary ones beside it. It is ours
 * alone, and either whole or not there: it is filled under another name and then renamed.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { DownloadRefused } from './download-refused';
import { errorCode } from './error-facts';

const DownloadedFilesSchema = Type.Array(
  Type.Object({ fileName: Type.String(), sha256: Type.String(), bytes: Type.Integer() }),
);

/** What a file was when it was fetched. */
export interface DownloadedFile {
  readonly fileName: string;
  /** Hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

const listName = '.parley.json';

export const sessionFolder = (root: string, sessionId: string): string => path.join(root, sessionId);

/** Undefined where nothing is there. */
const statOf = async (file: string) => {
  try {
    return await lstat(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** @throws DownloadRefused where somebody else made it, or might write to it */
const assertOwn = async (folder: string): Promise<void> => {
  const stats = await statOf(folder);
  if (stats === undefined) return;
  const isOwn = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
  if (!isOwn) throw new DownloadRefused(`${folder} is not a folder of this service's own; remove it on this machine`);
};

/** What the session's folder holds; undefined where it is not there, or not one that was filled by this service. */
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

const ownParts = new Set<string>();
/** Tells machines that share a disk apart; within one, processes are told apart by their IDs. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const partMark = '.part-';

/** A temporary folder beside the session's; `use` either renames it or leaves it to be removed. */
export const withPartFolder = async <T>(
  { root, sessionId }: { readonly root: string; readonly sessionId: string },
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
 * Completes the part and gives it the session's name. Another process that was quicker with the same files wins; what
 * an earlier set-up left is replaced.
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
  /** A temporary folder whose process is gone. */
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

const isLeftOver = (part: string, ofMachine: string, pid: number): boolean => {
  if (ofMachine !== machine) return false;
  return pid === process.pid ? !ownParts.has(part) : !isAlive(pid);
};

/** Folders under the root with the names that sessions give. */
export const findSessionFolders = async (root: string): Promise<FoundFolder[]> => {
  const names = await readdir(root).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, sessionId, ofMachine, pid] = sessionName.exec(name) ?? [];
    if (sessionId === undefined) return [];
    const found = path.join(root, name);
    const leftOver = ofMachine !== undefined && isLeftOver(found, ofMachine, Number(pid));
    return [{ path: found, sessionId, isLeftOver: leftOver }];
  });
};

/** Removes a folder with all it holds; one that is another user's is left alone. */
export const removeFolder = async (folder: string): Promise<void> => {
  const stats = await statOf(folder);
  if (stats?.uid !== process.getuid?.()) return;
  await rm(folder, { recursive: true, force: true });
};
