/**
 * Allows one supervisor at a time on a data folder: a second one would end the servers of the first as remains of a
 * killed one.
 *
 * A supervisor claims the folder with a symbolic link. Links are numbered, and their target is a process ID, or 0 for
 * nobody. A link appears at once with its target, and only one process can make the link with the next number. The
 * newest link counts. A link is only removed after a newer one exists, so a process that has read an old link cannot
 * take its number again.
 */
import { readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isErrorWithCode } from './error-code';
import { isRunning } from './service-process';

interface FolderClaim {
  readonly number: number;
  readonly pid: number;
}

const nobody = 0;
const nameOf = (number: number): string => `supervisor.${String(number)}`;

/** True when the file of a data folder is such a link. */
export const isClaim = (name: string): boolean => /^supervisor\.\d+$/.test(name);

/** The newest first. */
const claimNumbers = (dataFolder: string): number[] =>
  readdirSync(dataFolder)
    .filter(isClaim)
    .map((name) => Number(path.extname(name).slice(1)))
    .sort((a, b) => b - a);

/** Undefined when it has just been replaced by a newer one. */
const readClaim = (dataFolder: string, number: number): FolderClaim | undefined => {
  try {
    return { number, pid: Number(readlinkSync(path.join(dataFolder, nameOf(number)))) };
  } catch (error) {
    if (isErrorWithCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const newestClaim = (dataFolder: string): FolderClaim => {
  for (;;) {
    const [newest] = claimNumbers(dataFolder);
    if (newest === undefined) return { number: 0, pid: nobody };
    const claim = readClaim(dataFolder, newest);
    if (claim !== undefined) return claim;
  }
};

/** @returns false when another process has made the link with this number */
const make = (dataFolder: string, { number, pid }: FolderClaim): boolean => {
  try {
    symlinkSync(String(pid), path.join(dataFolder, nameOf(number)));
  } catch (error) {
    if (isErrorWithCode(error, 'EEXIST')) return false;
    throw error;
  }
  for (const older of claimNumbers(dataFolder).filter((each) => each < number)) {
    rmSync(path.join(dataFolder, nameOf(older)), { force: true });
  }
  return true;
};

const giveFree = (dataFolder: string): Promise<void> => {
  const { number, pid } = newestClaim(dataFolder);
  if (pid === process.pid) make(dataFolder, { number: number + 1, pid: nobody });
  return Promise.resolve();
};

/**
 * Claims the folder for this process. A process that has it already keeps it.
 * @returns a function that frees the folder
 * @throws Error when another supervisor runs on the folder
 */
export const takeDataFolder = async (dataFolder: string): Promise<() => Promise<void>> => {
  await mkdir(dataFolder, { recursive: true });
  for (;;) {
    const { number, pid } = newestClaim(dataFolder);
    if (pid === process.pid) break;
    if (pid !== nobody && (await isRunning(pid, 'parley'))) {
      throw new Error(
        `a stack already runs on ${dataFolder} (process ${String(pid)}): stop it, or name another folder in ` +
          'PARLEY_DATA_DIR and another port in PARLEY_PORT',
      );
    }
    if (make(dataFolder, { number: number + 1, pid: process.pid })) break;
  }
  return () => giveFree(dataFolder);
};
