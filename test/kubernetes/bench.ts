/**
 * `npm run bench:kubernetes`: the nodes of a real control plane drained by `kubectl drain` node after node, by
 * `kubectl drain` of a tenth of the nodes at once, and by the service, in one run, with the same maintenance of each
 * node. A judge with a connection of its own counts the fewest healthy pods of every budget.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { stopSignal } from '../../cli/stop-signal';
import { machineLine } from '../../dev/bench/machine';
import { type MeasuredStack, withStack } from '../../dev/bench/measured-stack';
import { printTable } from '../../dev/bench/print-table';
import { peakMemoryMb } from '../../dev/bench/processes';
import { type ClusterSize, fillCluster, nodeNames, respread } from './compare/applications';
import { evictionsIn, openRelay, type Relay, requestsOf } from './compare/count-traffic';
import { drainWithKubectl, type KubectlDrain } from './compare/kubectl-drain';
import { maintainNodes } from './compare/session-over-nodes';
import { kubectlProgram } from './rig/programs';
import { giveRights } from './rig/rights';
import { clientOf, type StartedKubernetes, startKubernetes } from './rig/start-kubernetes';
import { type BudgetWatch, watchBudgets } from './rig/watch-budgets';

const { values: options } = parseArgs({
  options: {
    // 10 or 100
    nodes: { type: 'string', default: '10' },
    maintenance: { type: 'string', default: '20' },
    workflow: { type: 'string', default: 'k8s' },
    // so many nodes are drained one after another, and the rest is calculated
    serial: { type: 'string', default: '10' },
  },
});

const maintenanceSeconds = Number(options.maintenance);
const size: ClusterSize =
  options.nodes === '10'
    ? { nodes: 10, applications: 5, replicas: 10, away: 2 }
    : { nodes: Number(options.nodes), applications: 20, replicas: 50, away: 5 };
const signal = stopSignal();

interface Way {
  readonly name: string;
  readonly seconds: number;
  readonly evictions: number;
  /** The fewest healthy pods of a budget, less those that it asks for. */
  readonly spare: number;
}

interface Rig {
  readonly cluster: StartedKubernetes;
  readonly judge: BudgetWatch;
  readonly admin: ReturnType<typeof clientOf>;
}

const spareIn = (judge: BudgetWatch): number => Math.min(...judge.seen().map(({ fewest, needed }) => fewest - needed));

const measureWay = async ({ cluster, judge, admin }: Rig, name: string, drain: () => Promise<number>): Promise<Way> => {
  await respread(admin, size);
  judge.restart();
  const before = await evictionsIn(cluster.auditLog);
  const seconds = await drain();
  const evictions = (await evictionsIn(cluster.auditLog)) - before;
  process.stdout.write(`${name}: ${seconds.toFixed(1)} s\n`);
  return { name, seconds, evictions, spare: spareIn(judge) };
};

const serially = async (rig: Rig, kubectl: KubectlDrain): Promise<Way> => {
  const all = nodeNames(size);
  const timed = all.slice(0, Number(options.serial));
  const name = timed.length < all.length ? `kubectl, one by one (${timed.length} timed)` : 'kubectl, one by one';
  return measureWay(rig, name, async () => (await drainWithKubectl(kubectl, timed)) * (all.length / timed.length));
};

const bySession = ({ api }: MeasuredStack): Promise<number> =>
  maintainNodes(api, { hosts: nodeNames(size), workflow: options.workflow, maintenanceSeconds, signal });

interface Cost {
  readonly requests: number;
  readonly bytes: number;
  readonly memoryMb: number;
}

const byService = async (rig: Rig, relay: Relay): Promise<Way & Cost> => {
  const settings = { PARLEY_CLOUD: 'kubernetes', KUBECONFIG: relay.kubeconfig };
  return withStack({ settings, signal }, async (stack) => {
    const before = await requestsOf(rig.cluster.auditLog, 'parley');
    const received = relay.received();
    const way = await measureWay(rig, `Parley, ${options.workflow}`, () => bySession(stack));
    const requests = (await requestsOf(rig.cluster.auditLog, 'parley')) - before;
    const memory = await Promise.all(stack.pids.worker.map(peakMemoryMb));
    return { ...way, requests, bytes: relay.received() - received, memoryMb: Math.max(...memory) };
  });
};

const print = (ways: readonly Way[], { requests, bytes, memoryMb }: Cost): void => {
  const [first] = ways;
  const rows = ways.map(({ name, seconds, evictions, spare }) => [
    ...[name, seconds.toFixed(0), ((first?.seconds ?? 0) / seconds).toFixed(1), String(evictions), String(spare)],
  ]);
  const { nodes, applications, replicas } = size;
  const title = `${nodes} nodes, ${applications * replicas} pods, ${maintenanceSeconds} s of maintenance a node`;
  printTable(title, [['', 'seconds', 'times faster', 'evictions', 'fewest healthy pods beyond a budget'], ...rows]);
  const perNode = `${(requests / nodes).toFixed(0)} requests and ${(bytes / nodes / 1024).toFixed(0)} KiB a node`;
  process.stdout.write(`\n${machineLine()}\nParley: ${perNode}, worker at most ${memoryMb.toFixed(0)} MiB\n`);
};

const bench = async (): Promise<void> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const kubectl = await kubectlProgram();
  const cluster = await startKubernetes(folder, { isAudited: true });
  try {
    await giveRights(cluster);
    const admin = clientOf(cluster.adminKubeconfig);
    await fillCluster(admin, size);
    const judge = await watchBudgets(cluster.adminKubeconfig);
    const rig = { cluster, judge, admin };
    const drain = { kubectl, kubeconfig: cluster.adminKubeconfig, maintenanceSeconds };
    const tenth = Math.max(1, Math.floor(size.nodes / 10));
    const ways = [await serially(rig, drain)];
    if (tenth > 1) {
      const name = `kubectl, ${tenth} at once`;
      ways.push(await measureWay(rig, name, () => drainWithKubectl(drain, nodeNames(size), tenth)));
    }
    const relay = await openRelay(cluster.serviceKubeconfig);
    const ours = await byService(rig, relay);
    print([...ways, ours], ours);
    relay.close();
    judge.stop();
    await admin.close();
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

bench().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
