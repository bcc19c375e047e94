/** Starts a real Keystone and a real Nova on free ports of loopback, and tells Keystone what a Nova needs there. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { endLeftOver, type LeftOver, startProcess, waitUntilReady } from '../../../cli/stack/service-process';
import { fillCatalog } from './fill-catalog';
import { endLeftOverKeystone, type KeystoneRig, type RigUser, startKeystone } from './keystone-rig';
import type { OpenStackAddresses } from './openstack-addresses';
import { programFile, pythonWithOpenStack } from './python-packages';

const readyMs = 180_000;

export interface RunningOpenStack extends OpenStackAddresses {
  readonly stop: () => Promise<void>;
}

const novaLeftOver = (folder: string): LeftOver => ({
  pidFile: path.join(folder, 'nova.pid'),
  mark: path.join(folder, 'nova'),
  stopSignal: 'SIGTERM',
});

const keystoneFolder = (folder: string): string => path.join(folder, 'keystone');

/** Ends what an earlier, killed run left behind in the folder. */
export const endLeftOverOpenStack = async (folder: string): Promise<void> => {
  await endLeftOver(novaLeftOver(folder));
  await endLeftOverKeystone(keystoneFolder(folder));
};

interface NovaStart {
  readonly folder: string;
  readonly port: number;
  readonly keystone: Pick<KeystoneRig, 'authUrl' | 'password'>;
  readonly computes: number;
}

const startNova = async ({ folder, port, keystone, computes }: NovaStart): Promise<() => Promise<void>> => {
  const state = path.join(folder, 'nova');
  await mkdir(state, { recursive: true });
  const logFile = path.join(folder, 'nova.log');
  const nova = await startProcess({
    name: 'Nova',
    command: await pythonWithOpenStack(),
    args: [
      ...[programFile('nova_service'), '--folder', state, '--port', String(port), '--computes', String(computes)],
      ...['--keystone', keystone.authUrl, '--password', keystone.password],
    ],
    // no compiled files beside the sources
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    logFile,
    ...novaLeftOver(folder),
  });
  const isReady = () => Promise.resolve(existsSync(path.join(state, 'ready.json')));
  await waitUntilReady(nova, { isReady, withinMs: readyMs, logFile });
  return nova.stop;
};

export interface OpenStackOptions {
  readonly folder: string;
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

export const startOpenStack = async ({ folder, computes }: OpenStackOptions): Promise<RunningOpenStack> => {
  const port = await anyFreePort();
  const root = `http://127.0.0.1:${port}`;
  const places = { nova: `${root}/v2.1`, placement: `${root}/placement`, switches: `${root}/_rig` };
  const keystone = await startKeystone({ folder: keystoneFolder(folder), projects, users });
  await fillCatalog(keystone, places);
  const stopNova = await startNova({ folder, port, keystone, computes });
  return {
    ...places,
    keystone: keystone.authUrl,
    password: keystone.password,
    async stop() {
      await stopNova();
      await keystone.stop();
    },
  };
};
