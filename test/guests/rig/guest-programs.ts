/** What real guests need: packages of Debian, installed by apt, and what is made of them, in the user's cache. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../../cli/stack/cache';
import { pythonWithOpenStack } from '../../openstack/rig/python-packages';

const run = promisify(execFile);
const script = path.join(__dirname, 'packages.sh');
const installMs = 10 * 60_000;

/** The packages are the machine's, so they may be gone although the cache is there. */
const areInstalled = (): Promise<boolean> =>
  run('which', ['libvirtd', 'virtlogd', 'qemu-system-x86_64', 'ip', 'unshare']).then(
    () => true,
    () => false,
  );

/**
 * @returns the folder with the guest, and with the Python binding of libvirt
 * @throws Error that says who can run guests
 */
export const guestPrograms = async (): Promise<string> => {
  if (process.getuid?.() !== 0 || process.platform !== 'linux')
    throw new Error(
      'only root of a Debian can run the tests on real guests: they make namespaces and install packages',
    );
  const digest = createHash('sha256').update(readFileSync(script)).digest('hex');
  const folder = path.join(cacheFolder(process.env), `guests-${digest.slice(0, 12)}`);
  const python = await pythonWithOpenStack();
  const install = async (growing: string): Promise<void> => {
    await run('bash', [script, growing, python], { timeout: installMs, maxBuffer: 64 * 1024 ** 2 });
  };
  // The binding may not suit the packages that come then.
  if (!(await areInstalled())) await rm(folder, { recursive: true, force: true });
  if (!existsSync(folder)) await fillInCache(folder, install);
  return folder;
};
