/**
 * The programs of Kubernetes in the user's cache: those of a control plane, and kwok in the place of kubelets. They are
 * downloaded where the projects' release sites can be reached, with their checksums, else built with Go from the
 * modules in `../programs`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../cli/stack/cache';
import { oneAtATime } from '../../run/one-at-a-time';

const modules = path.join(__dirname, '../programs');
const run = promisify(execFile);

export interface KubernetesPrograms {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager: string;
  readonly scheduler: string;
}

export interface Program {
  /** The folder of its module. */
  readonly module: keyof typeof folderNames;
  readonly name: string;
  readonly package: string;
  readonly linkerFlags: string;
  /** Where it can be downloaded; its checksum is there with this ending. Left out: it is built. */
  readonly address?: string;
  readonly checksumEnding?: '.sha256' | '.sha256sum';
  /** Its path in the archive (tar, gzip) at that address. Left out: the address has the program itself. */
  readonly member?: string;
}

const required = (module: Program['module'], name: string): string => {
  const [, version] =
    new RegExp(`^\\s*(?:require )?${name} (v\\S+)`, 'm').exec(
      readFileSync(path.join(modules, module, 'go.mod'), 'utf8'),
    ) ?? [];
  if (version === undefined) throw new Error(`test/kubernetes/programs/${module}/go.mod does not require ${name}`);
  return version;
};

const versionOf = {
  kube: () => required('kube', 'k8s.io/kubernetes'),
  etcd: () => required('etcd', 'go.etcd.io/etcd/server/v3'),
  kwok: () => required('kwok', 'sigs.k8s.io/kwok'),
  kubelet: () => required('kubelet', 'k8s.io/kubernetes'),
  containerd: () => required('containerd', 'github.com/containerd/containerd/v2'),
};

/** The names of the folders in the cache, before the version. */
const folderNames = {
  ...{ kube: 'kubernetes', etcd: 'etcd', kwok: 'kwok' },
  ...{ kubelet: 'kubernetes', containerd: 'containerd' },
} as const;

const platform = (): string => `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`;

/** A program that is built without them calls itself v0.0.0-master. */
const stamps = (version: string): string => {
  const [, minor = ''] = /^v1\.(\d+)/.exec(version) ?? [];
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .flatMap((where) => [`gitVersion=${version}`, 'gitMajor=1', `gitMinor=${minor}`].map((set) => `-X ${where}.${set}`))
    .join(' ');
};

export const ofKubernetes = (name: string, module: 'kube' | 'kubelet' = 'kube'): Program => ({
  module,
  name,
  package: `k8s.io/kubernetes/cmd/${name}`,
  linkerFlags: stamps(versionOf.kube()),
  address: `https://dl.k8s.io/release/${versionOf.kube()}/bin/${platform()}/${name}`,
});

/** A program of containerd, from the archive of its release. */
export const ofContainerd = (name: string): Program => {
  const version = versionOf.containerd();
  const archive = `containerd-${version.slice(1)}-${platform().replace('/', '-')}.tar.gz`;
  return {
    module: 'containerd',
    name,
    package: `github.com/containerd/containerd/v2/cmd/${name}`,
    linkerFlags: `-X github.com/containerd/containerd/v2/version.Version=${version}`,
    address: `https://github.com/containerd/containerd/releases/download/${version}/${archive}`,
    checksumEnding: '.sha256sum',
    member: `bin/${name}`,
  };
};

const downloadMs = 120_000;
const buildMs = 3 * 60 * 60_000;

const download = async ({ address = '', checksumEnding = '.sha256', member }: Program, file: string): Promise<void> => {
  const get = async (url: string, withinMs: number): Promise<Buffer> => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const [wanted = ''] = (await get(`${address}${checksumEnding}`, 10_000)).toString().trim().split(/\s/);
  const content = await get(address, downloadMs);
  const digest = createHash('sha256').update(content).digest('hex');
  if (digest !== wanted) throw new Error(`${address} has another checksum (${digest}) than the site says (${wanted})`);
  writeFileSync(file, content);
  if (member === undefined) return;
  const { stdout } = await run('tar', ['-xzOf', file, member], { encoding: 'buffer', maxBuffer: 512 * 1024 ** 2 });
  writeFileSync(file, stdout);
};

const build = async ({ module, package: name, linkerFlags }: Program, file: string): Promise<void> => {
  const env = { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' };
  // What makes the servers of a run cheaper (test/run/run-folder.ts) is not for a build.
  for (const variable of ['GOMAXPROCS', 'GOGC']) Reflect.deleteProperty(env, variable);
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags', `-s -w ${linkerFlags}`];
  try {
    // In the background of whatever else runs.
    await run('nice', ['-n', '15', 'go', 'build', ...flags, '-o', file, name], {
      cwd: path.join(modules, module),
      env,
      timeout: buildMs,
    });
  } catch (cause) {
    throw new Error(
      `${name} could neither be downloaded nor built: install Go, and see that it reaches a module proxy`,
      {
        cause,
      },
    );
  }
};

/** One run at a time gets or builds a program, and the others find it then. */
export const findOrGet = async (program: Program): Promise<string> => {
  const { module, name } = program;
  const place = path.join(cacheFolder(process.env), 'kubernetes');
  const folder = path.join(place, `${folderNames[module]}-${versionOf[module]()}`);
  const file = path.join(folder, name);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  await oneAtATime(path.join(place, 'lock'), async () => {
    if (!existsSync(file)) await getAs(file, program);
  });
  return file;
};

/** It grows under another name: a build that was cut short leaves no half program. */
const getAs = async (file: string, program: Program): Promise<void> => {
  const growing = `${file}.${process.pid}`;
  try {
    const isThere = program.address !== undefined && (await download(program, growing).then(isDone, isNotDone));
    if (!isThere) await build(program, growing);
    chmodSync(growing, 0o755);
    renameSync(growing, file);
  } finally {
    rmSync(growing, { force: true });
  }
};

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;

/** One after another: builds share most of their packages. */
export const kubernetesPrograms = async (): Promise<KubernetesPrograms> => {
  return {
    etcd: await findOrGet({ module: 'etcd', name: 'etcd', package: 'go.etcd.io/etcd/server/v3', linkerFlags: '' }),
    apiServer: await findOrGet(ofKubernetes('kube-apiserver')),
    controllerManager: await findOrGet(ofKubernetes('kube-controller-manager')),
    scheduler: await findOrGet(ofKubernetes('kube-scheduler')),
  };
};

/** In the place of kubelets. */
export const kwokProgram = (): Promise<string> =>
  findOrGet({ module: 'kwok', name: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok', linkerFlags: '' });

/** For what is compared with `kubectl drain`; no test needs it. */
export const kubectlProgram = (): Promise<string> => findOrGet(ofKubernetes('kubectl'));
