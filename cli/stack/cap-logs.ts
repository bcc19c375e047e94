/**
 * Limits the logs of a long-running stack. Its processes append to their files by themselves and outlive the
 * supervisor. So a file that has grown is copied and then emptied in place: the process continues at the file's new
 * end.
 */
import { copyFile, readdir, stat, truncate } from 'node:fs/promises';
import path from 'node:path';

/**
 * The limit of one log. With its copy, a log uses at most twice as much, plus the lines that are written between two
 * looks.
 */
const mostBytes = 32 * 1024 ** 2;
const lookEveryMs = 30_000;

/** Moves the contents of logs larger than `limitBytes` to `<name>.1`, and replaces the copy before. */
export const capLogs = async (folder: string, limitBytes: number): Promise<void> => {
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  for (const file of logs.map((name) => path.join(folder, name))) {
    if ((await stat(file)).size <= limitBytes) continue;
    await copyFile(file, `${file}.1`);
    await truncate(file);
  }
};

/** @returns a function that stops it */
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
