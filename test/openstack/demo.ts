/**
 * `make demo-openstack`: a real Keystone and a real Nova on this machine, the whole service beside them, and one
 * session over all hosts from its creation to 100 %. Needs Python 3.11; nothing of it touches any other OpenStack.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAdminClient } from '../../cli/demo/admin-client';
import { clearDataFolder } from '../../cli/demo/clear-data-folder';
import { freePortFrom } from '../../cli/stack/ports';
import { startStack } from '../../cli/stack/supervise';
import { stopSignal } from '../../cli/stop-signal';
import { openStackEnvironment } from './rig/driver-under-test';
import { usualComputes } from './rig/empty-cloud';
import { announceOpenStack, testOpenStack } from './rig/openstack-addresses';
import { listServers, makeAntiAffinityGroup, makeServers } from './rig/operator';
import { endLeftOverOpenStack, startOpenStack } from './rig/start-openstack';
import { keepAuditing } from './rig/switches';

const tell = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const dataDir = path.resolve('.parley', 'demo-openstack');

/** Two servers of each of two projects on every host, and three that must stay apart. */
const populate = async (): Promise<void> => {
  const placed = usualComputes.flatMap((host, index) =>
    ['web', 'database'].map((project) => ({ name: `${project}-${index + 1}`, host, project })),
  );
  const group = await makeAntiAffinityGroup('apart');
  const apart = [1, 2, 3].map((number) => ({ name: `apart-${number}`, host: `compute-${number}`, group }));
  await makeServers([...placed, ...apart]);
};

const hostsOfServers = async (): Promise<string> => {
  const hosts = (await listServers()).map((server) => server['OS-EXT-SRV-ATTR:host']);
  return usualComputes.map((name) => `${name} ${hosts.filter((host) => host === name).length}`).join(', ');
};

const pollMs = 2_000;
const leadMs = 3_000;

const runSession = async (api: string, signal: AbortSignal): Promise<void> => {
  const admin = createAdminClient(api);
  const sessionId = await admin.createSession(new Date(Date.now() + leadMs), 'default');
  tell(`Session ${sessionId} is created, for all hosts: the computes, and two controllers, which hold no servers.`);
  for (let told = ''; ;) {
    const { state, percent_done, session } = await admin.detailOf(sessionId);
    const line = `${String(percent_done).padStart(3)} %  ${state}`;
    if (line !== told) tell(`${line.padEnd(30)} servers: ${await hostsOfServers()}`);
    told = line;
    if (state === 'MAINTENANCE_DONE') return;
    await pause(pollMs, undefined, { signal });
    if (state === 'MAINTENANCE_FAILED') throw new Error(`the session failed: ${session.failure ?? 'no reason given'}`);
  }
};

const environment = async (): Promise<NodeJS.ProcessEnv> => ({
  ...process.env,
  ...openStackEnvironment(),
  PARLEY_DATA_DIR: dataDir,
  PARLEY_PORT: String(await freePortFrom(12_347)),
  PARLEY_PROJECT_REPLY_SECONDS: '2',
});

const demo = async (): Promise<void> => {
  const signal = stopSignal();
  const folder = path.join(dataDir, 'openstack');
  await endLeftOverOpenStack(folder);
  await clearDataFolder(dataDir);
  tell('Starting a real Keystone and a real Nova (the first time their packages are installed: some minutes).');
  const { stop: stopOpenStack, clouds } = await startOpenStack({
    folder,
    regions: ['RegionOne'],
    computes: usualComputes.length,
  });
  let endAudits: (() => void) | undefined;
  try {
    announceOpenStack(clouds);
    await populate();
    endAudits = keepAuditing();
    const { nova, keystone } = testOpenStack();
    tell(`Nova      ${nova}\nKeystone  ${keystone}`);
    const stack = await startStack({ env: await environment(), tell, signal });
    try {
      tell(`API       ${stack.addresses.api}\nTemporal  ${stack.addresses.temporalUi ?? stack.addresses.temporal}`);
      await runSession(stack.addresses.api, signal);
      tell('Every host is maintained and enabled again.');
    } finally {
      tell('Stopping.');
      await stack.stop();
    }
  } finally {
    endAudits?.();
    await stopOpenStack();
  }
};

demo().catch((error: unknown) => {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
