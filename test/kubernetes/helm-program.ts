/** Helm, built once from its Go module into the cache of programs: some minutes of a processor, and then nothing. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../cli/stack/cache';

const run = promisify(execFile);

const helmVersion = '3.22.0';
const buildMs = 30 * 60_000;
const outputBytes = 16 * 1024 * 1024;

/** @returns a function that runs Helm and resolves with its output. @throws Error with what Go or Helm says */
export const provideHelm = async (): Promise<(...args: readonly string[]) => Promise<string>> => {
  const folder = path.join(cacheFolder(process.env), `helm-v${helmVersion}`);
  if (!existsSync(folder)) {
    await fillInCache(folder, async (growing) => {
      const env = { ...process.env, GOBIN: growing };
      await run('go', ['install', `helm.sh/helm/v3/cmd/helm@v${helmVersion}`], { env, timeout: buildMs });
    });
  }
  return async (...args) => {
    const { stdout } = await run(path.join(folder, 'helm'), args, { maxBuffer: outputBytes });
    return stdout;
  };
};
