/** The nodes' cgroups (v1). They lie below the cgroup of this process, so its limits hold for the nodes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface Hierarchy {
  /** The folder at which it is mounted. */
  readonly name: string;
  readonly mountOptions: string;
  /** The folder of the node in it. */
  readonly folder: string;
}

const hierarchiesBelow = (owner: string): Hierarchy[] =>
  readFileSync('/proc/self/cgroup', 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, options = '', own = ''] = line.split(':');
      if (options === '') return []; // v2
      const name = options.replace('name=', '');
      const mountOptions = options.startsWith('name=') ? `none,${options}` : options;
      return [{ name, mountOptions, folder: path.join('/sys/fs/cgroup', name, own, owner) }];
    });

/** The name of a rig's cgroups: that of no other rig. @param folder of the rig */
export const cgroupOwner = (folder: string): string =>
  `${path.basename(path.dirname(folder))}-${path.basename(folder)}`;

export const makeCgroups = (owner: string, node: string): readonly Hierarchy[] =>
  hierarchiesBelow(owner).map((rig) => {
    const hierarchy = { ...rig, folder: path.join(rig.folder, node) };
    for (const folder of [rig.folder, hierarchy.folder]) {
      mkdirSync(folder, { recursive: true });
      if (hierarchy.name === 'cpuset') inheritCpuset(folder);
    }
    return hierarchy;
  });

/** A new one has no processors, so it takes no process. */
const inheritCpuset = (folder: string): void => {
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    writeFileSync(path.join(folder, file), readFileSync(path.join(path.dirname(folder), file)));
  }
};

const attempts = 50;

/** They are busy for a moment after their processes were killed. */
export const removeCgroups = async (owner: string, node = ''): Promise<void> => {
  for (const { folder } of hierarchiesBelow(owner)) {
    for (let attempt = 0; attempt < attempts && !removeTree(path.join(folder, node)); attempt += 1) await pause(100);
  }
};

const removeTree = (folder: string): boolean => {
  if (!existsSync(folder)) return true;
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of below) removeTree(path.join(folder, name));
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
};
