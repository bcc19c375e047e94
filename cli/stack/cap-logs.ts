/**
 * Keeps the logs of a long-running stack small. Its processes append to their files by themselves and outlive the
 * supervisor, so a file that has grown is copied aside and emptied in place: the next line is written at its new end.
 */
import { copyFile, readdir, stat, truncate } from 'node:fs/promises';
import path from 'node:path';

/** Of a log; with the copy beside it a log takes twice as much at most, and what is written between two looks. */
const mostBytes = 32 * 1024 ** 2;
const lookEveryMs = 30_000;

/** Moves what logs of the folder are larger than `limitBytes` to `<name>.1`, in place of what was there. */
export const capLogs = async (folder: string, limitBytes: number): Promise<void> => {
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  for (const file of logs.map((name) => path.join(folder, name))) {
    if ((await stat(file)).size <= limitBytes) continue;
    await copyFile(file, `${file}.1`);
    await truncate(file);
  }
};

/** @returns how to stop it */
export const keepLogsSmall = (folder: string, tell: (line: string) => void): (() => Promise<void>) => {
  let looking = Promise.resolve();
  const look = (): void => {
    looking = capLogs(folder, mostBytes).catch((error: unknown) =>
      tell(`the logs in ${folder} could not be kept small: ${String(error)}`),
    );
  };
  const timer = setInterval(look, lookEveryMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
};
