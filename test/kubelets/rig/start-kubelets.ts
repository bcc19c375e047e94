/**
 * A real control plane with nodes that run: kubelet, containerd and runc each, in namespaces of their own. Pods start,
 * are probed, are told to end, and die with their node. It begins with no pods.
 */
import { mkdirSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { type ServiceProcess, startProcess, waitUntilReady } from '../../../cli/stack/service-process';
import { isReady, nodes } from '../../../clouds/kubernetes/objects/nodes';
import { clientOf, type StartedKubernetes, startKubernetes } from '../../kubernetes/rig/start-kubernetes';
import { eventually } from '../../waiting/eventually';
import { cgroupOwner, removeCgroups } from './cgroups';
import { keepNode } from './keep-node';
import { apiService, gateway, type NodeOfRig, nodesOfRig } from './network';
import { writeNodeFiles } from './node-files';
import { fabricPidFile } from './node-power';
import { nodePrograms } from './programs';

export interface StartedKubelets extends StartedKubernetes {
  /** Names its nodes (node-power.ts). */
  readonly folder: string;
}

const networkMs = 30_000;

/** @param folder of its own, below that of the run */
export const startKubelets = async (folder: string, count: number): Promise<StartedKubelets> => {
  const programs = await nodePrograms();
  mkdirSync(folder, { recursive: true });
  const port = await anyFreePort();
  const all = nodesOfRig(count);
  const ends: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const fabric = await startFabric(folder, port, all);
    ends.push(fabric.stop);
    const relay = await relayTo(socketIn(folder), port);
    ends.push(() => new Promise((resolve) => relay.close(() => resolve())));
    const within = [`nsenter`, `--net=/proc/${fabric.pid}/ns/net`];
    const cluster = await startKubernetes(path.join(folder, 'control-plane'), { kubelets: { within, port } });
    ends.push(cluster.stop);
    ends.push(() => removeCgroups(cgroupOwner(folder)));
    const kept = all.map(async (node) => {
      const keys = path.join(folder, 'control-plane');
      const server = `https://${apiService}:443`;
      await writeNodeFiles(node, { folder: path.join(folder, node.name), keys, server });
      return keepNode({ folder, node, programs, fabricPid: fabric.pid });
    });
    ends.push(async () => {
      const powered = await Promise.all(kept);
      await Promise.all(powered.map((powerOff) => powerOff()));
    });
    await Promise.all(kept);
    await untilReady(cluster.adminKubeconfig, count);
    return { ...cluster, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const socketIn = (folder: string): string => path.join(folder, 'api.sock');

const startFabric = async (folder: string, port: number, all: readonly NodeOfRig[]): Promise<ServiceProcess> => {
  const forwarder = [process.execPath, path.join(__dirname, 'forward.mjs'), socketIn(folder), apiService, String(port)];
  const routes = all.map(({ address, podRange }) => `${address},${podRange}`);
  const script = path.join(__dirname, 'node/fabric.sh');
  const logFile = path.join(folder, 'fabric.log');
  const fabric = await startProcess({
    name: 'the network of the nodes',
    command: 'unshare',
    args: ['--net', script, gateway, apiService, ...routes, '--', ...forwarder],
    logFile,
    pidFile: fabricPidFile(folder),
    mark: folder,
    stopSignal: 'SIGKILL',
  });
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const probe = connect(socketIn(folder), () => resolve(true)).once('error', () => resolve(false));
      probe.once('connect', () => probe.destroy());
    });
  await waitUntilReady(fabric, { isReady: isUp, withinMs: networkMs, logFile });
  return fabric;
};

/** The API server's port on this machine. */
const relayTo = (socket: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((incoming) => {
      const outgoing = connect(socket);
      const end = (): void => {
        incoming.destroy();
        outgoing.destroy();
      };
      for (const side of [incoming, outgoing]) side.once('error', end).once('close', end);
      incoming.pipe(outgoing).pipe(incoming);
    });
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });

const untilReady = async (kubeconfig: string, count: number): Promise<void> => {
  const admin = clientOf(kubeconfig);
  await eventually(`${count} nodes are Ready`, async () => {
    const { items } = await admin.list(nodes);
    const takes = items.filter((node) => isReady(node) && (node.spec.taints ?? []).length === 0);
    return takes.length === count || undefined;
  });
  await admin.close();
};
