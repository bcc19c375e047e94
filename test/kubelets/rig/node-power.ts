/** Power and cable of the nodes, from any process: reboot, power cut, a cable that is pulled. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPid } from '../../../cli/stack/service-process';

export const fileOf = (folder: string, node: string, file: string): string => path.join(folder, node, file);

export const fabricPidFile = (folder: string): string => path.join(folder, 'fabric.pid');

/** Process 1 of the node, as the machine sees it. Undefined while the node is dark. */
const initOf = (folder: string, node: string): number | undefined => {
  const outer = readPid(fileOf(folder, node, 'pid'));
  if (outer === undefined) return undefined;
  const children = `/proc/${outer}/task/${outer}/children`;
  const [child] = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : [];
  return child === undefined || child === '' ? undefined : Number(child);
};

const signal = (folder: string, node: string, kind: NodeJS.Signals): void => {
  const init = initOf(folder, node);
  if (init !== undefined) process.kill(init, kind);
};

const setCable = (folder: string, node: string, state: 'up' | 'down'): void => {
  const inFabric = ['--net', `/proc/${readPid(fabricPidFile(folder))}/ns/net`].join('=');
  execFileSync('nsenter', [inFabric, 'ip', 'link', 'set', node, state]);
};

export const nodePower = (folder: string) => ({
  /** Every process is told to end, as `systemctl reboot` does. */
  reboot: (node: string) => signal(folder, node, 'SIGHUP'),
  /** All processes die at once, and the node boots again. */
  cut: (node: string) => signal(folder, node, 'SIGKILL'),
  /** The power is away until `powerOn`. */
  powerOff: (node: string) => {
    writeFileSync(fileOf(folder, node, 'off'), '');
    signal(folder, node, 'SIGKILL');
  },
  powerOn: (node: string) => rmSync(fileOf(folder, node, 'off'), { force: true }),
  /** From its next boot on, its runtime forgets its containers, as CRI-O's does, and on disks in memory. */
  forget: (node: string) => writeFileSync(fileOf(folder, node, 'forgets'), ''),
  /** All on it runs on, and nobody hears of it until `plug`. */
  unplug: (node: string) => setCable(folder, node, 'down'),
  plug: (node: string) => setCable(folder, node, 'up'),
});
export type NodePower = ReturnType<typeof nodePower>;
