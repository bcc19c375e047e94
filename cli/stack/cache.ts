/** The user's cache: programs that are got or built once, for all clones. Each is there wholly or not at all. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

export const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  path.join(env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'parley');

/**
 * Fills a folder of the cache: it grows beside its place, and is then renamed. While it grows, its name holds the path
 * of the folder for temporary files: by that a run of tests, also around another one, finds what it has left
 * (test/run/reaper.mjs).
 * @throws Error of `fill`, after which the folder is absent
 */
export const fillInCache = async (folder: string, fill: (growing: string) => Promise<void>): Promise<void> => {
  await mkdir(path.dirname(folder), { recursive: true });
  const growing = await mkdtemp(`${folder}${tmpdir().replaceAll(path.sep, '.')}-`);
  try {
    await fill(growing);
    await rename(growing, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // else another process was quicker
    });
  } finally {
    await rm(growing, { recursive: true, force: true });
  }
};
