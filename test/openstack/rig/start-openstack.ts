/** Starts a real Keystone and one or more real Novas, each a region, and tells Keystone what a Nova needs there. */
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { endLeftOver, type LeftOverProcess, startProcess, waitUntilReady } from '../../../cli/stack/service-process';
import { fillCatalog } from './fill-catalog';
import { endLeftOverKeystone, type KeystoneRig, type RigUser, startKeystone } from './keystone-rig';
import type { OpenStackAddresses } from './openstack-addresses';
import { programFile, pythonWithOpenStack } from './python-packages';

/** Three of them start on two processors, beside everything else that a run needs. */
const readyMs = 400_000;

export interface RunningOpenStack {
  /** The clouds, one for each region, in their order. */
  readonly clouds: readonly OpenStackAddresses[];
  readonly stop: () => Promise<void>;
}

/** The begin of the folder name of a region's Nova. */
const novaPrefix = 'nova-';

const novaLeftOver = (folder: string): LeftOverProcess => ({
  pidFile: path.join(folder, 'nova.pid'),
  mark: folder,
  stopSignal: 'SIGTERM',
});

const keystoneFolder = (folder: string): string => path.join(folder, 'keystone');

/** Ends what an earlier, killed run left behind in the folder. */
export const endLeftOverOpenStack = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []); // there is none where nothing was left
  const novas = names.filter((name) => name.startsWith(novaPrefix));
  for (const name of novas) await endLeftOver(novaLeftOver(path.join(folder, name)));
  await endLeftOverKeystone(keystoneFolder(folder));
};

interface NovaStart {
  /** The folder of this Nova alone. */
  readonly folder: string;
  readonly port: number;
  readonly keystone: Pick<KeystoneRig, 'authUrl' | 'password'>;
  readonly computes: number;
}

const startNova = async ({ folder, port, keystone, computes }: NovaStart): Promise<() => Promise<void>> => {
  await mkdir(folder, { recursive: true });
  const logFile = path.join(folder, 'output.log');
  const nova = await startProcess({
    name: 'Nova',
    command: await pythonWithOpenStack(),
    args: [
      ...[programFile('nova_service'), '--folder', folder, '--port', String(port), '--computes', String(computes)],
      ...['--keystone', keystone.authUrl, '--password', keystone.password],
    ],
    // no compiled files beside the sources
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    logFile,
    ...novaLeftOver(folder),
  });
  const isReady = () => Promise.resolve(existsSync(path.join(folder, 'ready.json')));
  await waitUntilReady(nova, { isReady, withinMs: readyMs, logFile });
  return nova.stop;
};

export interface OpenStackOptions {
  readonly folder: string;
  /** A Nova for each; the first is Keystone's own. */
  readonly regions: readonly string[];
  /** The number of computes of each Nova. */
  readonly computes: number;
}

/** Projects with servers; their IDs are of no meaning. */
const projects = [
  { name: 'service', id: '5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e' },
  { name: 'web', id: 'aaaaaaaaaaaa4aaaaaaaaaaaaaaaaaaa' },
  { name: 'database', id: 'bbbbbbbbbbbb4bbbbbbbbbbbbbbbbbbb' },
];

const users: readonly RigUser[] = [
  { name: 'nova', projects: { service: ['admin', 'service'] } },
  // the service's own user; admin in the other projects to place servers on hosts of a test's choice
  { name: 'parley', projects: { admin: ['admin'], web: ['admin'], database: ['admin'] } },
];

const placesOf = (region: string, port: number) => {
  const root = `http://127.0.0.1:${port}`;
  return { region, nova: `${root}/v2.1`, placement: `${root}/placement`, switches: `${root}/_rig` };
};

/** The Novas start beside each other, while Keystone is told of them: they ask it only when they are asked. */
export const startOpenStack = async ({ folder, regions, computes }: OpenStackOptions): Promise<RunningOpenStack> => {
  const ports = await Promise.all(regions.map(anyFreePort));
  const places = regions.map((region, index) => placesOf(region, ports[index]!));
  const keystone = await startKeystone({ folder: keystoneFolder(folder), projects, users });
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((stopNova) => stopNova()));
    await keystone.stop();
  };
  const starting = regions.map(async (region, index) => {
    const own = { folder: path.join(folder, `${novaPrefix}${region}`), port: ports[index]! };
    stops.push(await startNova({ ...own, keystone, computes }));
  });
  const outcomes = await Promise.allSettled([fillCatalog(keystone, places), ...starting]);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await stop();
    throw failed.reason;
  }
  const { authUrl, password } = keystone;
  return { clouds: places.map((each) => ({ ...each, keystone: authUrl, password })), stop };
};
