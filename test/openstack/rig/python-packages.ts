/** The real OpenStack services' Python packages, installed into the user's cache once. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../../cli/stack/cache';
import { findPython } from '../../run/find-python';

const sources = path.join(__dirname, 'python');
const requirements = path.join(sources, 'requirements.txt');
const constraints = path.join(sources, 'constraints.txt');
const installMs = 20 * 60_000;

type Program = 'keystone_service' | 'nova_service' | 'make_certificate';

/** The programs lie beside this file. */
export const programFile = (name: Program): string => path.join(sources, `${name}.py`);

const run = promisify(execFile);

const neededBy = 'the tests run a real Nova and a real Keystone';

/**
 * A virtual environment knows the folder where it was made, in its scripts only. Those are not used: Python finds its
 * packages from where it is.
 */
const install = async (folder: string): Promise<void> => {
  await run(await findPython(neededBy), ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements, '-c', constraints];
  try {
    await run(path.join(folder, 'bin', 'python'), pip, { timeout: installMs, maxBuffer: 64 * 1024 ** 2 });
  } catch (cause) {
    throw new Error(`the packages of Nova and Keystone could not be installed from PyPI with pip: ${neededBy}`, {
      cause,
    });
  }
};

const findOrInstall = async (): Promise<string> => {
  const digest = createHash('sha256')
    .update(readFileSync(requirements))
    .update(readFileSync(constraints))
    .digest('hex');
  const folder = path.join(cacheFolder(process.env), `openstack-${digest.slice(0, 12)}`);
  if (!existsSync(folder)) await fillInCache(folder, install);
  return path.join(folder, 'bin', 'python');
};

let found: Promise<string> | undefined;

/** Installs once, however many services of this process ask. @returns the Python that has the packages */
export const pythonWithOpenStack = (): Promise<string> => (found ??= findOrInstall());
