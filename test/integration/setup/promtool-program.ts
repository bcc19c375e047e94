/** Finds promtool: the one on PATH, else Debian's, which apt-get brings into the user's cache. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../../cli/stack/cache';
import { distribution, getDebianPackages } from '../../run/debian-packages';

const versionMs = 60_000;

const works = (command: string): Promise<boolean> =>
  promisify(execFile)(command, ['--version'], { timeout: versionMs }).then(
    () => true,
    () => false,
  );

const missing =
  'promtool is missing: the tests of the alerts run it. Install Prometheus, so that promtool is on PATH. On Debian the ' +
  'tests get it by apt-get';

/** @throws Error that says what to install and why */
export const findPromtool = async (): Promise<string> => {
  const folder = path.join(cacheFolder(process.env), `prometheus-${distribution()}`);
  const inCache = path.join(folder, 'root/usr/bin/promtool');
  for (const candidate of ['promtool', inCache]) if (await works(candidate)) return candidate;
  try {
    await rm(folder, { recursive: true, force: true });
    await fillInCache(folder, (growing) =>
      getDebianPackages(growing, { packages: ['prometheus'], withTheirNeeds: false }),
    );
  } catch (cause) {
    throw new Error(missing, { cause });
  }
  if (await works(inCache)) return inCache;
  throw new Error(missing);
};
