/** A place in memory for what a run of tests writes in many small files. */
import { accessSync, constants, statfsSync } from 'node:fs';
import path from 'node:path';

/** Where Linux keeps files in memory. */
export const memoryRoot = '/dev/shm';

/** Several times what a run needs there: 64 MB, the size that containers have by default, are too small. */
const roomBytes = 2 * 1024 ** 3;

const hasRoom = (): boolean => {
  try {
    accessSync(memoryRoot, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryRoot);
    return bavail * bsize >= roomBytes;
  } catch {
    return false; // another system has no such place
  }
};

/**
 * Chooses where a run keeps its many small files. A folder in memory has the path of the run's `folder` in its name:
 * by this name the reaper of the run, and of a run around it, finds and removes it (reaper.mjs).
 *
 * @returns a folder in memory, or `folder` itself where memory has no room
 */
export const inMemory = (folder: string): string =>
  hasRoom() ? path.join(memoryRoot, `parley${folder.replaceAll(path.sep, '.')}`) : folder;
