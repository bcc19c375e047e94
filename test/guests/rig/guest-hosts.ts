/** The hosts with a libvirtd each (hosts.sh), and what happens to their guests. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { guestPrograms } from './guest-programs';

const run = promisify(execFile);
const hosts = (...args: readonly string[]): Promise<unknown> =>
  run('bash', [path.join(__dirname, 'hosts.sh'), ...args]);

export interface GuestHosts {
  /** What Nova reads (test/openstack/rig/python/guests.py). */
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

const [folderVariable, imageVariable] = ['GUESTS_FOLDER', 'GUESTS_IMAGE'] as const;

/** The bandwidth of a live migration: one of a guest takes some seconds. */
const mibPerSecond = '6';

export const startGuestHosts = async (folder: string, count: number): Promise<GuestHosts> => {
  const programs = await guestPrograms();
  await mkdir(path.join(folder, 'instances'), { recursive: true });
  await mkdir(path.join(folder, 'state'), { recursive: true });
  await hosts('down', folder); // what an earlier run has left
  await hosts('up', folder, String(count));
  await Promise.all(
    ['kernel', 'initramfs'].map((file) => copyFile(path.join(programs, file), path.join(folder, file))),
  );
  const environment = {
    [folderVariable]: folder,
    [imageVariable]: randomUUID(),
    GUESTS_PROGRAMS: programs,
    MIB_PER_SECOND: mibPerSecond,
    // Nova looks for libvirt's binding when its modules are loaded
    PYTHONPATH: path.join(programs, 'python'),
  };
  return {
    environment,
    stop: async () => {
      await hosts('down', folder);
    },
  };
};

const announced = (variable: string): string => {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set: run \`npm run test:guests\``);
  return value;
};

/** The ID of the image that guests boot. */
export const guestImage = (): string => announced(imageVariable);

const domainFolder = (host: string): string => path.join(announced(folderVariable), host, 'run', 'qemu');

/** The process IDs of the guests that run, or arrive, on a host. */
const guestsOn = (host: string): readonly number[] =>
  (existsSync(domainFolder(host)) ? readdirSync(domainFolder(host)) : [])
    .filter((file) => /^instance-.*\.pid$/.test(file))
    .map((file) => Number(readFileSync(path.join(domainFolder(host), file), 'utf8')));

export const countGuestsOn = (host: string): number => guestsOn(host).length;

/** As a fault of the machine ends it. @returns false when there is none */
export const killGuestOn = (host: string): boolean => {
  const [pid] = guestsOn(host);
  if (pid === undefined) return false;
  process.kill(pid, 'SIGKILL');
  return true;
};
