/** Starts a real Keystone and a real Nova on free ports of loopback, and tells Keystone what a Nova needs there. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { anyFreePort, isListening } from '../../../cli/stack/ports';
import { endLeftOver, type LeftOver, startProcess, waitUntilReady } from '../../../cli/stack/service-process';
import type { OpenStackAddresses } from './openstack-addresses';
import { programFile, pythonWithOpenStack } from './python-packages';
import { seedKeystone } from './seed-keystone';

const readyMs = 180_000;

export interface RunningOpenStack extends OpenStackAddresses {
  readonly stop: () => Promise<void>;
}

type Program = 'keystone_service' | 'nova_service';

const leftOver = (folder: string, program: Program): LeftOver => ({
  pidFile: path.join(folder, `${program}.pid`),
  mark: path.join(folder, program),
  stopSignal: 'SIGTERM',
});

/** Ends what an earlier, killed run left behind in the folder. */
export const endLeftOverOpenStack = async (folder: string): Promise<void> => {
  await endLeftOver(leftOver(folder, 'nova_service'));
  await endLeftOver(leftOver(folder, 'keystone_service'));
};

interface Start {
  readonly folder: string;
  readonly program: Program;
  readonly args: readonly string[];
  readonly isReady: () => Promise<boolean>;
}

const start = async ({ folder, program, args, isReady }: Start): Promise<() => Promise<void>> => {
  const state = path.join(folder, program);
  await mkdir(state, { recursive: true });
  const logFile = path.join(folder, `${program}.log`);
  const service = await startProcess({
    name: program,
    command: await pythonWithOpenStack(),
    args: [programFile(program), '--folder', state, ...args],
    // no compiled files beside the sources
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    logFile,
    ...leftOver(folder, program),
  });
  await waitUntilReady(service, { isReady, withinMs: readyMs, logFile });
  return service.stop;
};

export interface OpenStackOptions {
  readonly folder: string;
  readonly computes: number;
  /** How long a token of Keystone is good. */
  readonly tokenSeconds?: number;
}

const password = 'of-the-tests';

export const startOpenStack = async ({
  folder,
  computes,
  tokenSeconds = 3600,
}: OpenStackOptions): Promise<RunningOpenStack> => {
  const [keystonePort, novaPort] = [await anyFreePort(), await anyFreePort()];
  const keystone = `http://127.0.0.1:${keystonePort}/v3`;
  const novaRoot = `http://127.0.0.1:${novaPort}`;
  const addresses = {
    keystone,
    nova: `${novaRoot}/v2.1`,
    placement: `${novaRoot}/placement`,
    switches: `${novaRoot}/_rig`,
    password,
  };
  const stopKeystone = await start({
    folder,
    program: 'keystone_service',
    args: ['--port', String(keystonePort), '--password', password, '--token-seconds', String(tokenSeconds)],
    isReady: () => isListening(keystonePort),
  });
  await seedKeystone(addresses);
  const stopNova = await start({
    folder,
    program: 'nova_service',
    args: ['--port', String(novaPort), '--keystone', keystone, '--password', password, '--computes', String(computes)],
    isReady: () => Promise.resolve(existsSync(path.join(folder, 'nova_service', 'ready.json'))),
  });
  return {
    ...addresses,
    async stop() {
      await stopNova();
      await stopKeystone();
    },
  };
};
