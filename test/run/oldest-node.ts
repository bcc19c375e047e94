/** The oldest Node.js that `engines` of package.json allows. It is got from npm once and kept in the user's cache. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../cli/stack/cache';

const packageFile = path.join(__dirname, '../../package.json');
const { engines } = JSON.parse(readFileSync(packageFile, 'utf8')) as { engines: { node: string } };
const platformPackage = `node-${process.platform}-${process.arch}`;
const installMs = 10 * 60_000;

export const oldestNodeVersion = `${engines.node.replace('>=', '')}.0`;

const install = async (folder: string): Promise<void> => {
  const wanted = `${platformPackage}@${oldestNodeVersion}`;
  try {
    await promisify(execFile)('npm', ['install', '--prefix', folder, '--no-save', wanted], { timeout: installMs });
  } catch (cause) {
    throw new Error(`npm could not install Node.js ${oldestNodeVersion} (${platformPackage})`, { cause });
  }
};

/** @returns its program @throws Error where npm cannot install it */
export const findOldestNode = async (): Promise<string> => {
  const folder = path.join(cacheFolder(process.env), `node-${oldestNodeVersion}`);
  const program = path.join(folder, 'node_modules', platformPackage, 'bin/node');
  if (!existsSync(program)) await fillInCache(folder, install);
  return program;
};
