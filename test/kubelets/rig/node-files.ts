/** What a node has on its disk before its first boot: its certificate and the configuration of its kubelet. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { NodeOfRig } from './network';

const openssl = (folder: string, ...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });

export interface FilesOfNode {
  /** Of the node. */
  readonly folder: string;
  /** Of the control plane, with the authority's key. */
  readonly keys: string;
  readonly server: string;
}

const podsPerNode = 50;
/** What the pods of a node can request. All nodes share the machine. */
const podCpus = 2;
const podMemoryMib = 4096;

export const writeNodeFiles = async ({ name }: NodeOfRig, { folder, keys, server }: FilesOfNode): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key'];
  await openssl(folder, 'req', ...key, '-subj', `/O=system:nodes/CN=system:node:${name}`, '-out', 'csr');
  const authority = ['-CA', path.join(keys, 'ca.crt'), '-CAkey', path.join(keys, 'ca.key'), '-CAcreateserial'];
  await openssl(folder, 'x509', '-req', '-in', 'csr', ...authority, '-days', '2', '-out', 'crt');
  const data = (file: string): string => readFileSync(file).toString('base64');
  const user = {
    'client-certificate-data': data(path.join(folder, 'crt')),
    'client-key-data': data(path.join(folder, 'key')),
  };
  const kubeconfig = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'node' } }],
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': data(path.join(keys, 'ca.crt')) } }],
    users: [{ name: 'node', user }],
  };
  writeFileSync(path.join(folder, 'kubeconfig'), JSON.stringify(kubeconfig));
  writeFileSync(path.join(folder, 'kubelet.yaml'), JSON.stringify(kubeletConfiguration()));
};

const kubeletConfiguration = () => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  failCgroupV1: false,
  cgroupDriver: 'cgroupfs',
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  clusterDNS: ['10.0.0.10'], // nobody serves it; without one each start of a pod is a warning
  clusterDomain: 'cluster.local',
  // Only the nodes' own network reaches it, and the control plane has no certificate for kubelets.
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  makeIPTablesUtilChains: false,
  resolvConf: '',
  oomScoreAdj: 0,
  maxOpenFiles: 20_000,
  protectKernelDefaults: true,
  maxPods: podsPerNode,
  systemReserved: {
    cpu: String(Math.max(0, cpus().length - podCpus)),
    memory: `${Math.max(0, Math.floor(totalmem() / 1024 ** 2) - podMemoryMib)}Mi`,
  },
  // The disk is that of the whole machine: the nodes do not fill it.
  evictionHard: {
    ...{ 'memory.available': '50Mi', 'nodefs.available': '1%' },
    ...{ 'nodefs.inodesFree': '1%', 'imagefs.available': '1%' },
  },
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
});
