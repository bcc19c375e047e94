/**
 * Gets packages of Debian into a folder of ours. Needs no root: apt-get keeps its lists and archives there too, and
 * nothing is installed.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const getMs = 20 * 60_000;

export const distribution = (): string => {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^VERSION_CODENAME=(\w+)/m.exec(release)?.[1] ?? 'unknown';
};

interface PackagesToGet {
  readonly packages: readonly string[];
  /** Gets what they need as well, unless the machine has it. */
  readonly withTheirNeeds: boolean;
}

/** Unpacks the packages into `root` of the folder. @throws Error where apt-get cannot get them */
export const getDebianPackages = async (folder: string, { packages, withTheirNeeds }: PackagesToGet): Promise<void> => {
  const archives = path.join(folder, 'cache', 'archives');
  const apt = (cwd: string, ...args: readonly string[]): Promise<unknown> => {
    const given = Object.entries(optionsOf(folder)).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    return run('apt-get', [...given, '-q', '-y', ...args], { cwd, timeout: getMs, maxBuffer: 64 * 1024 ** 2 });
  };
  await mkdir(path.join(folder, 'state', 'lists', 'partial'), { recursive: true });
  await mkdir(path.join(archives, 'partial'), { recursive: true });
  await apt(folder, 'update');
  if (withTheirNeeds) await apt(folder, 'install', '--no-install-recommends', '--download-only', ...packages);
  else await apt(archives, 'download', ...packages);
  for (const name of await readdir(archives)) {
    if (name.endsWith('.deb')) await run('dpkg', ['-x', path.join(archives, name), path.join(folder, 'root')]);
  }
  await rm(path.join(folder, 'state'), { recursive: true });
  await rm(path.join(folder, 'cache'), { recursive: true });
};

const optionsOf = (folder: string): Readonly<Record<string, string>> => ({
  'Dir::State': path.join(folder, 'state'),
  'Dir::State::status': '/var/lib/dpkg/status', // of the machine: what it has need not be got
  'Dir::Cache': path.join(folder, 'cache'),
  'Debug::NoLocking': '1',
  'APT::Sandbox::User': 'root', // root's own folders are closed to the user _apt
});
