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
 * A folder in memory for what would lie in a run's `folder`, or that one where there is no room. Its name holds the
 * path of `folder`: by that the run, also one around it, removes it (reaper.mjs).
 */
export const inMemory = (folder: string): string =>
  hasRoom() ? path.join(memoryRoot, `parley${folder.replaceAll(path.sep, '.')}`) : folder;
