/** Starts a real Keystone and one or more real Novas, each a region, and tells Keystone what a Nova needs there. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
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

const novasLeftOver = (folder: string): LeftOverProcess => ({
  pidFile: path.join(folder, 'novas.pid'),
  mark: folder,
  stopSignal: 'SIGTERM',
});

const keystoneFolder = (folder: string): string => path.join(folder, 'keystone');

/** Ends what an earlier, killed run left behind in the folder. */
export const endLeftOverOpenStack = async (folder: string): Promise<void> => {
  await endLeftOver(novasLeftOver(folder));
  await endLeftOverKeystone(keystoneFolder(folder));
};

interface NovaStart {
  readonly folder: string;
  /** Each Nova's own. */
  readonly places: readonly { readonly region: string; readonly port: number }[];
  readonly keystone: Pick<KeystoneRig, 'authUrl' | 'password'>;
  readonly computes: number;
}

const startNovas = async ({ folder, places, keystone, computes }: NovaStart): Promise<() => Promise<void>> => {
  const own = places.map(({ region, port }) => ({ port: String(port), folder: path.join(folder, `nova-${region}`) }));
  for (const nova of own) await mkdir(nova.folder, { recursive: true });
  const logFile = path.join(folder, 'novas.log');
  const novas = await startProcess({
    name: own.length === 1 ? 'Nova' : `${own.length} Novas`,
    command: await pythonWithOpenStack(),
    args: [
      ...[programFile('nova_service'), '--keystone', keystone.authUrl, '--password', keystone.password],
      ...['--computes', String(computes), ...own.flatMap((nova) => ['--nova', nova.folder, nova.port])],
    ],
    // no compiled files beside the sources
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    logFile,
    ...novasLeftOver(folder),
  });
  const isReady = () => Promise.resolve(own.every((nova) => existsSync(path.join(nova.folder, 'ready.json'))));
  await waitUntilReady(novas, { isReady, withinMs: readyMs, logFile });
  return novas.stop;
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

const addressesOf = (port: number) => {
  const root = `http://127.0.0.1:${port}`;
  return { nova: `${root}/v2.1`, placement: `${root}/placement`, switches: `${root}/_rig` };
};

/** The Novas start while Keystone is told of them: they ask it only when they are asked. */
export const startOpenStack = async ({ folder, regions, computes }: OpenStackOptions): Promise<RunningOpenStack> => {
  const ports = await Promise.all(regions.map(anyFreePort));
  const places = regions.map((region, index) => ({ region, port: ports[index]!, ...addressesOf(ports[index]!) }));
  const keystone = await startKeystone({ folder: keystoneFolder(folder), projects, users });
  const [novas, catalog] = await Promise.allSettled([
    startNovas({ folder, places, keystone, computes }),
    fillCatalog(keystone, places),
  ]);
  const stop = async (): Promise<void> => {
    if (novas.status === 'fulfilled') await novas.value();
    await keystone.stop();
  };
  for (const outcome of [novas, catalog]) {
    if (outcome.status === 'fulfilled') continue;
    await stop();
    throw outcome.reason;
  }
  const { authUrl, password } = keystone;
  return { clouds: places.map((each) => ({ ...each, keystone: authUrl, password })), stop };
};
