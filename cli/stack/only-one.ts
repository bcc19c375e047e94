/** One supervisor at a time on a data folder: a second one would end the servers of the first as left over. */
import { writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isErrorWithCode } from './error-code';
import { isRunning, readPid } from './service-process';

const claim = (file: string): boolean => {
  try {
    writeFileSync(file, `${String(process.pid)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isErrorWithCode(error, 'EEXIST')) return false;
    throw error;
  }
};

/**
 * @returns how to give the folder free again
 * @throws Error when another supervisor runs on the folder
 */
export const takeDataFolder = async (dataFolder: string): Promise<() => Promise<void>> => {
  const file = path.join(dataFolder, 'supervisor.pid');
  await mkdir(dataFolder, { recursive: true });
  if (!claim(file)) {
    const pid = readPid(file);
    if (pid !== undefined && (await isRunning(pid, 'parley'))) {
      throw new Error(
        `a stack already runs on ${dataFolder} (process ${String(pid)}): stop it, or name another folder in ` +
          'PARLEY_DATA_DIR and another port in PARLEY_PORT',
      );
    }
    // left behind by a supervisor that was killed
    writeFileSync(file, `${String(process.pid)}\n`);
  }
  return async () => {
    if (readPid(file) === process.pid) await rm(file);
  };
};
