/** Keeps a node powered: whenever its process 1 has ended, it boots again, as another boot with the same disk. */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess } from '../../../cli/stack/service-process';
import { cgroupOwner, makeCgroups, removeCgroups } from './cgroups';
import { gateway, type NodeOfRig } from './network';
import { fileOf } from './node-power';
import type { NodePrograms } from './programs';

export interface KeptNode {
  /** Of the rig; each node has a folder below it. */
  readonly folder: string;
  readonly node: NodeOfRig;
  readonly programs: NodePrograms;
  /** The process that holds the network. */
  readonly fabricPid: number;
}

/** From the end of its process 1 to the next. */
const darkMs = 5_000;
const pollMs = 100;

/** @returns a function that powers it off for good */
export const keepNode = (kept: KeptNode): (() => Promise<void>) => {
  const off = new AbortController();
  const living = live(kept, off.signal);
  return async () => {
    off.abort();
    await living;
    rmSync(fileOf(kept.folder, kept.node.name, 'disk'), { recursive: true, force: true });
  };
};

const live = async (kept: KeptNode, off: AbortSignal): Promise<void> => {
  const { folder, node } = kept;
  const owner = cgroupOwner(folder);
  const isOff = (): boolean => off.aborted;
  while (!isOff()) {
    const boot = await bootNode(kept, owner);
    const stop = (): void => void boot.stop();
    off.addEventListener('abort', stop);
    if (isOff()) stop();
    await boot.ended;
    off.removeEventListener('abort', stop);
    await removeCgroups(owner, node.name); // as a reboot leaves none
    await whileDark(fileOf(folder, node.name, 'off'), off);
  }
};

const whileDark = async (switchedOff: string, off: AbortSignal): Promise<void> => {
  const untilMs = Date.now() + darkMs;
  while (!off.aborted && (Date.now() < untilMs || existsSync(switchedOff))) await pause(pollMs);
};

const bootNode = ({ folder, node, programs, fabricPid }: KeptNode, owner: string) => {
  const file = (name: string): string => fileOf(folder, node.name, name);
  writeFileSync(file('boot_id'), `${randomUUID()}\n`);
  const cgroups = makeCgroups(owner, node.name);
  const lines = cgroups.map(({ name, mountOptions, folder: own }) => `${name} ${mountOptions} ${own}\n`);
  writeFileSync(file('cgroups'), lines.join(''));
  return startProcess({
    name: node.name,
    command: path.join(__dirname, 'node/boot.sh'),
    args: [path.join(folder, node.name), node.name],
    logFile: file('log'),
    pidFile: file('pid'),
    mark: folder,
    stopSignal: 'SIGKILL',
    env: {
      ...process.env,
      ...{ ADDRESS: node.address, MAC: node.mac, POD_RANGE: node.podRange, ZONE: node.zone, GATEWAY: gateway },
      ...{ FABRIC: String(fabricPid) },
      ...{ KUBERNETES: programs.kubernetes, CONTAINERD: programs.containerd },
      ...{ DEBIAN: programs.debian, IMAGES: programs.images },
    },
  });
};
