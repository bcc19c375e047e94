/**
 * A real Kubernetes control plane on loopback: etcd, API server, controller manager and scheduler, and kwok in the
 * place of every kubelet, so that nodes and pods are objects whose state moves on and nothing is ever run. It begins
 * empty.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { anyFreePort } from '../../../cli/stack/ports';
import {
  endLeftOver,
  readPid,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from '../../../cli/stack/service-process';
import { openKubernetesClient } from '../../../clouds/kubernetes/open-client';
import { kubernetesPrograms, kwokProgram } from './programs';

export interface KubernetesAddresses {
  /** May do everything. */
  readonly adminKubeconfig: string;
  /** Has the rights that the service needs, and no more (rights.ts). */
  readonly serviceKubeconfig: string;
}

export interface StartedKubernetes extends KubernetesAddresses {
  /** Where every request is logged, if that was asked for. */
  readonly auditLog: string;
  readonly stop: () => Promise<void>;
}

const readyMs = 180_000;
const users = ['admin', 'parley'] as const;

const names = ['kwok', 'kube-scheduler', 'kube-controller-manager', 'kube-apiserver', 'etcd'] as const;
type ProgramName = (typeof names)[number];

const pidFileOf = (folder: string, name: ProgramName): string => path.join(folder, `${name}.pid`);

/** Ends what an earlier, killed run left behind in the folder. */
export const endLeftOverKubernetes = async (folder: string): Promise<void> => {
  for (const name of names) {
    await endLeftOver({ pidFile: pidFileOf(folder, name), mark: folder, stopSignal: 'SIGKILL' });
  }
};

const signal = (kubeconfig: string, name: ProgramName, kind: NodeJS.Signals): void => {
  const pid = readPid(pidFileOf(path.dirname(kubeconfig), name));
  if (pid === undefined) throw new Error(`no ${name} runs`);
  process.kill(pid, kind);
};

/** Kills the API server of the cluster with this kubeconfig. It is started again. */
export const killApiServer = (kubeconfig: string): void => signal(kubeconfig, 'kube-apiserver', 'SIGKILL');

/** Has all kubelets (`kwok`), or the controllers, do nothing meanwhile. */
export const whileStopped = async <T>(
  kubeconfig: string,
  name: 'kwok' | 'kube-controller-manager',
  act: () => Promise<T>,
): Promise<T> => {
  signal(kubeconfig, name, 'SIGSTOP');
  try {
    return await act();
  } finally {
    signal(kubeconfig, name, 'SIGCONT');
  }
};

export interface KubernetesOptions {
  readonly isAudited?: boolean;
  /** Serves PodGroups, a feature that is off by default. */
  readonly hasPodGroups?: boolean;
  /** Nodes come that have kubelets (test/kubelets): no kwok is started. */
  readonly kubelets?:
    | {
        /** The command that runs another one in the network of the nodes. */
        readonly within: readonly string[];
        /** The port of the API server there, to which a port of the same number leads here. */
        readonly port: number;
      }
    | undefined;
}

export const startKubernetes = async (
  folder: string,
  { isAudited = false, hasPodGroups = false, kubelets }: KubernetesOptions = {},
): Promise<StartedKubernetes> => {
  const programs = await kubernetesPrograms();
  mkdirSync(folder, { recursive: true });
  const started: ServiceProcess[] = [];
  let isStopping = false;
  const stop = async (): Promise<void> => {
    isStopping = true;
    for (const service of started.toReversed()) await service.stop();
  };
  const [etcdPort, peerPort] = [await anyFreePort(), await anyFreePort()];
  const port = kubelets?.port ?? (await anyFreePort());
  const keys = await makeKeys(folder, port);
  const start = async (name: ProgramName, command: string, args: readonly string[]): Promise<void> => {
    const logFile = path.join(folder, `${name}.log`);
    const pidFile = pidFileOf(folder, name);
    // The API server would wait a minute for its watchers, and all data is thrown away.
    const [first = '', ...others] = [...(kubelets?.within ?? []), command, ...args];
    const process = { name, command: first, args: others, logFile, pidFile, mark: folder };
    started.push(await startProcess({ ...process, stopSignal: 'SIGKILL' }));
  };
  /** One that has ended is started again in its place, as a kubelet does it with the pod of a control plane. */
  const keepStarted = async (name: ProgramName, command: string, args: readonly string[]): Promise<void> => {
    await start(name, command, args);
    const at = started.length - 1;
    const startAgain = async (): Promise<void> => {
      if (isStopping) return;
      await start(name, command, args);
      const [again] = started.splice(-1);
      if (again === undefined) return;
      started[at] = again;
      startAgainAfter(again);
    };
    // A set-up that fails takes the folder away meanwhile: its own error is the one to tell.
    const startAgainAfter = (service: ServiceProcess | undefined): void => {
      service?.ended.then(startAgain).catch((error: unknown) => console.error(`${name} was not started again:`, error));
    };
    startAgainAfter(started[at]);
  };
  const untilReady = (isReady: () => Promise<boolean>): Promise<void> => {
    const service = started.at(-1)!;
    const logFile = path.join(folder, `${service.name}.log`);
    return waitUntilReady(service, { isReady, withinMs: readyMs, logFile });
  };
  try {
    await start('etcd', programs.etcd, etcdArgs(folder, { etcdPort, peerPort }));
    const features = hasPodGroups ? ['--feature-gates', 'GenericWorkload=true'] : [];
    const more = [...features, ...apiServerOptions(folder, { isAudited, hasPodGroups, kubelets })];
    await keepStarted('kube-apiserver', programs.apiServer, [...apiServerArgs(folder, { etcdPort, port }), ...more]);
    const admin = clientOf(keys.adminKubeconfig);
    await untilReady(() => admin.call({ method: 'GET', path: '/readyz' }, 1).then(isTrue, isFalse));
    const asAdmin = ['--kubeconfig', keys.adminKubeconfig];
    const aside = ['--secure-port', '0', '--leader-elect=false', '--profiling=false'];
    const accounts = ['--root-ca-file', path.join(folder, 'ca.crt'), '--use-service-account-credentials=true'];
    const quick = ['--kube-api-qps', '200', '--kube-api-burst', '300'];
    const signing = ['--service-account-private-key-file', path.join(folder, 'sa.key')];
    await start('kube-controller-manager', programs.controllerManager, [
      ...asAdmin,
      ...aside,
      ...accounts,
      ...quick,
      ...signing,
      ...features,
    ]);
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    await untilReady(() => admin.call({ method: 'GET', path: account }, 1).then(isTrue, isFalse));
    await start('kube-scheduler', programs.scheduler, [...asAdmin, ...aside, ...features]);
    if (!kubelets) await start('kwok', await kwokProgram(), [...asAdmin, ...kwokArgs(folder)]);
    await admin.close();
    return { ...keys, auditLog: path.join(folder, 'audit.log'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

export const clientOf = (kubeconfig: string) =>
  openKubernetesClient({
    kubeconfig: [kubeconfig],
    kubernetesContext: undefined,
    kubernetesServiceHost: undefined,
    kubernetesServicePort: 443,
    kubernetesTimeoutSeconds: 60,
  });

const etcdArgs = (folder: string, { etcdPort, peerPort }: { etcdPort: number; peerPort: number }): string[] => {
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  return [
    ...['--name', 'test', '--data-dir', path.join(folder, 'etcd'), '--unsafe-no-fsync', '--log-level', 'warn'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `test=${peer}`],
  ];
};

const apiServerArgs = (folder: string, { etcdPort, port }: { etcdPort: number; port: number }): string[] => {
  const key = (name: string): string => path.join(folder, name);
  return [
    ...['--etcd-servers', `http://127.0.0.1:${etcdPort}`, '--bind-address', '127.0.0.1', '--secure-port', String(port)],
    ...['--endpoint-reconciler-type', 'none', '--profiling=false', '--anonymous-auth=false'],
    ...['--tls-cert-file', key('api.crt'), '--tls-private-key-file', key('api.key'), '--client-ca-file', key('ca.crt')],
    ...['--token-auth-file', key('tokens.csv'), '--authorization-mode', 'Node,RBAC'],
    ...['--service-account-issuer', `https://127.0.0.1:${port}`, '--service-account-key-file', key('sa.pub')],
    ...['--service-account-signing-key-file', key('sa.key'), '--service-cluster-ip-range', '10.0.0.0/24'],
  ];
};

const apiServerOptions = (folder: string, { isAudited, hasPodGroups, kubelets }: KubernetesOptions): string[] => [
  ...(isAudited === true ? auditArgs(folder) : []),
  ...(kubelets === undefined ? [] : ['--allow-privileged', '--kubelet-preferred-address-types=InternalIP']),
  ...(hasPodGroups === true ? ['--runtime-config', 'scheduling.k8s.io/v1beta1=true'] : []),
];

const auditArgs = (folder: string): string[] => {
  const [policy, log] = [path.join(folder, 'audit.yaml'), path.join(folder, 'audit.log')];
  const rule = { level: 'Metadata', omitStages: ['RequestReceived', 'ResponseStarted'] };
  writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [rule] }));
  // In one file, however long: whoever counts reads that file alone. In megabytes; 0 would mean 100.
  return ['--audit-policy-file', policy, '--audit-log-path', log, '--audit-log-maxsize', '100000'];
};

const kwokArgs = (folder: string): string[] => {
  const stages = path.join(folder, 'stages.yaml');
  copyFileSync(path.join(__dirname, 'stages.yaml'), stages);
  return [
    ...['--config', stages, '--manage-all-nodes', '--node-ip', '127.0.0.1', '--cidr', '10.1.0.0/16'],
    ...['--node-lease-duration-seconds', '40'],
  ];
};

const openssl = (folder: string, ...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });

/**
 * An authority, the certificate of the API server, the key of service accounts, a token and a kubeconfig for each user.
 */
const makeKeys = async (folder: string, port: number): Promise<KubernetesAddresses> => {
  const rsa = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl(
    folder,
    'req',
    '-x509',
    ...rsa,
    '-days',
    '2',
    '-subj',
    '/CN=test',
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
  );
  await openssl(folder, 'req', ...rsa, '-subj', '/CN=kube-apiserver', '-keyout', 'api.key', '-out', 'api.csr');
  writeFileSync(path.join(folder, 'api.ext'), 'subjectAltName=DNS:kubernetes.default.svc,IP:127.0.0.1,IP:10.0.0.1\n');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'api.ext'];
  await openssl(folder, 'x509', '-req', '-in', 'api.csr', ...signed, '-out', 'api.crt');
  await openssl(folder, 'genrsa', '-out', 'sa.key', '2048');
  await openssl(folder, 'rsa', '-in', 'sa.key', '-pubout', '-out', 'sa.pub');
  const tokens = users.map((user) => ({ user, token: randomBytes(16).toString('hex') }));
  const lines = tokens.map(
    ({ user, token }) => `${token},${user},${user},${user === 'admin' ? 'system:masters' : ''}\n`,
  );
  writeFileSync(path.join(folder, 'tokens.csv'), lines.join(''));
  const ca = readFileSync(path.join(folder, 'ca.crt')).toString('base64');
  const [adminKubeconfig = '', serviceKubeconfig = ''] = tokens.map(({ user, token }) => {
    const file = path.join(folder, `${user}.kubeconfig`);
    const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': ca };
    const config = {
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user } }],
      clusters: [{ name: 'test', cluster }],
      users: [{ name: user, user: { token } }],
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  });
  return { adminKubeconfig, serviceKubeconfig };
};
