/**
 * `npm run bench:kubernetes-watch`: what it costs a worker to follow a cluster in which nothing happens. A process that
 * has nothing but the driver looks at a real control plane once, and is then left alone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machineLine } from '../../dev/bench/machine';
import { printTable } from '../../dev/bench/print-table';
import { type ClusterSize, fillCluster } from './compare/applications';
import { openRelay, requestsOf } from './compare/count-traffic';
import type { FollowingCost, IdleCost } from './compare/follow-cluster';
import { giveRights } from './rig/rights';
import { clientOf, startKubernetes } from './rig/start-kubernetes';

const { values: options } = parseArgs({
  options: {
    // 50 on each of the nodes
    pods: { type: 'string', default: '5000' },
    // how long it is left alone
    seconds: { type: 'string', default: '60' },
  },
});

const replicas = 50;
const applications = Number(options.pods) / replicas;
const size: ClusterSize = { nodes: applications, applications, replicas, away: 5 };

const startFollower = (kubeconfig: string): ChildProcess =>
  fork(path.join(__dirname, 'compare/follow-cluster.ts'), {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    execArgv: ['--expose-gc', '--require', path.join(__dirname, '../run/run-typescript.cjs')],
  });

/** @throws Error when the process ends instead */
const nextOf = async <T>(child: ChildProcess): Promise<T> => {
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the follower ended with ${String(code)}`))),
  ])) as [T];
  return message;
};

const inMb = (value: number): string => value.toFixed(1);

const measure = async (): Promise<void> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-watch-'));
  const cluster = await startKubernetes(folder, { isAudited: true });
  try {
    await giveRights(cluster);
    const admin = clientOf(cluster.adminKubeconfig);
    await fillCluster(admin, size);
    await admin.close();
    const relay = await openRelay(cluster.serviceKubeconfig);
    const child = startFollower(relay.kubeconfig);
    const ended = once(child, 'exit');
    const { pods, before, after } = await nextOf<FollowingCost>(child);
    const [requests, bytes] = [await requestsOf(cluster.auditLog, 'parley'), relay.received()];
    child.send(Number(options.seconds));
    const { processorSeconds } = await nextOf<IdleCost>(child);
    const idleRequests = (await requestsOf(cluster.auditLog, 'parley')) - requests;
    const idleKb = (relay.received() - bytes) / 1024;
    child.send('end');
    await ended;
    relay.close();
    printTable(`${pods} pods on ${size.nodes} nodes followed, then ${options.seconds} s in which nothing happens`, [
      ['', 'before', 'after'],
      ['heap in use, MiB', inMb(before.heapMb), inMb(after.heapMb)],
      ['resident memory, MiB', inMb(before.residentMb), inMb(after.residentMb)],
      ['requests', '', String(requests)],
      ['MiB from the API server', '', inMb(bytes / 1024 ** 2)],
      ['idle: processor seconds', '', processorSeconds.toFixed(2)],
      ['idle: requests', '', String(idleRequests)],
      ['idle: KiB from the API server', '', inMb(idleKb)],
    ]);
    process.stdout.write(`\n${machineLine()}\n`);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

measure().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
