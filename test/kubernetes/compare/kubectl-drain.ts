/** What an operator does without the service: `kubectl drain`, the maintenance, `kubectl uncordon`. */
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface KubectlDrain {
  readonly kubectl: string;
  readonly kubeconfig: string;
  readonly maintenanceSeconds: number;
}

const outputBytes = 64 * 1024 * 1024;

/** @param together the number of nodes that are drained at once, by a process for each */
export const drainWithKubectl = async (
  { kubectl, kubeconfig, maintenanceSeconds }: KubectlDrain,
  nodes: readonly string[],
  together = 1,
): Promise<number> => {
  const tell = (...args: readonly string[]) =>
    run(kubectl, ['--kubeconfig', kubeconfig, ...args], { maxBuffer: outputBytes });
  const begunMs = Date.now();
  for (let first = 0; first < nodes.length; first += together) {
    const group = nodes.slice(first, first + together);
    await Promise.all(group.map((node) => tell('drain', node, '--ignore-daemonsets')));
    await pause(maintenanceSeconds * 1000);
    await tell('uncordon', ...group);
  }
  return (Date.now() - begunMs) / 1000;
};
