/** Finds PgBouncer: the one on PATH, else Debian's, which apt-get brings into the user's cache. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../../cli/stack/cache';
import { distribution, getDebianPackages } from '../../run/debian-packages';

export interface PgBouncerProgram {
  readonly command: string;
  /** Variables for its process, beside the environment of ours. */
  readonly env: Readonly<Record<string, string>>;
}

const versionMs = 60_000;

const works = async ({ command, env }: PgBouncerProgram): Promise<boolean> => {
  try {
    await promisify(execFile)(command, ['--version'], { timeout: versionMs, env: { ...process.env, ...env } });
    return true;
  } catch {
    return false;
  }
};

const programIn = (folder: string): PgBouncerProgram => {
  const root = path.join(folder, 'root');
  const libraries = globSync('{usr/lib,lib}/*-linux-*', { cwd: root }).map((each) => path.join(root, each));
  return { command: path.join(root, 'usr/sbin/pgbouncer'), env: { LD_LIBRARY_PATH: libraries.join(':') } };
};

const missing =
  'PgBouncer is missing: the tests of a pooler run one. Install it, so that pgbouncer is on PATH. On Debian the tests ' +
  'get it by apt-get';

/** @throws Error that says what to install and why */
export const findPgBouncer = async (): Promise<PgBouncerProgram> => {
  const folder = path.join(cacheFolder(process.env), `pgbouncer-${distribution()}`);
  const candidates = () => [{ command: 'pgbouncer', env: {} }, programIn(folder)];
  for (const candidate of candidates()) if (await works(candidate)) return candidate;
  try {
    await rm(folder, { recursive: true, force: true });
    const packages = { packages: ['pgbouncer'], withTheirNeeds: true };
    await fillInCache(folder, (growing) => getDebianPackages(growing, packages));
  } catch (cause) {
    throw new Error(missing, { cause });
  }
  if (await works(programIn(folder))) return programIn(folder);
  throw new Error(missing);
};
