/** The rig's cloud for the contract suite: four hosts of it, one with capacity for a single small server. */
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import { movesElsewhere } from '../../../rules/cloud/departure';
import type { CloudRig } from '../../integration/clouds/contract';
import { createTestDatabase } from '../../integration/setup/test-database';
import { openDriver } from './driver-under-test';
import { openFaultyNova } from './faulty-nova';
import {
  actOn,
  bookForNobody,
  deleteServer,
  enableOnly,
  findServer,
  listMigrations,
  makeAntiAffinityGroup,
  makeServer,
  makeServers,
  projectIdOf,
  unbook,
  until,
  untilSettled,
} from './operator';
import { addHost, removeFault, setFault } from './switches';

const small = {
  flavor: 'small',
  amounts: { VCPU: 1, MEMORY_MB: 1024, DISK_GB: 1 },
  needs: expect.any(String) as string,
  departure: movesElsewhere,
};

export const makeOpenStackRig = async (): Promise<CloudRig> => {
  const { db, drop } = await createTestDatabase();
  const nova = await openFaultyNova();
  const [source, target, elsewhere, fullHost] = ['compute-1', 'compute-2', 'compute-3', 'compute-full'] as const;
  await addHost(fullHost, { vcpus: 1, memory_mb: 2048 });
  await until('the small host is there', async () => {
    await enableOnly([source, target, elsewhere, fullHost]);
    return true;
  });
  await fill(fullHost);
  const projectId = await projectIdOf('web');
  let count = 0;
  return {
    openDriver: () => openDriver(db, { OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url, PARLEY_OPENSTACK_MOVES_PER_HOST: '0' }),
    source,
    target,
    elsewhere,
    fullHost,
    async addInstance(): Promise<CloudInstance> {
      const server = await makeServer({ name: `contract-${(count += 1)}`, host: source });
      return { instanceId: server.id, instanceName: server.name, projectId, host: source, ...small, state: 'ACTIVE' };
    },
    async addInstanceApart(): Promise<CloudInstance> {
      const group = await makeAntiAffinityGroup(`contract-${(count += 1)}`);
      const [server] = await makeServers([source, target].map((host) => ({ name: `${host}-${count}`, host, group })));
      const { id: instanceId, name: instanceName } = server!;
      return { instanceId, instanceName, projectId, host: source, ...small, state: 'ACTIVE' };
    },
    stall: (instanceId) => setFault(instanceId, { seconds: 3600, deaf: true }),
    unstall,
    failNextMove: (instanceId) => setFault(instanceId, { fail: 'move' }),
    deleteInstance: deleteServer,
    async actAsProject(instanceId, host) {
      await actOn(instanceId, { migrate: { host } });
      await until('the project has moved it', async () =>
        (await untilSettled(instanceId)).status === 'VERIFY_RESIZE' ? true : undefined,
      );
      await actOn(instanceId, { confirmResize: null });
    },
    refuseNextDisable: async () => {
      nova.answerOnce(
        { method: 'PUT', path: /os-services/ },
        { status: 403, body: { forbidden: { message: 'not yours' } } },
      );
      await Promise.resolve();
    },
    async leaveWayBack(instanceId) {
      await actOn(instanceId, { migrate: { host: target } });
      await until('it waits for its confirmation', async () =>
        (await untilSettled(instanceId)).status === 'VERIFY_RESIZE' ? true : undefined,
      );
    },
    async confirm(instanceId) {
      await actOn(instanceId, { confirmResize: null });
      await untilSettled(instanceId);
    },
    bookHidden: bookForNobody,
    unbook,
    /** Nova writes a move down some time after it has accepted it. */
    countMoves: (instanceId) =>
      until('what was accepted is written down', async () => {
        const isMoving = (await findServer(instanceId))?.['OS-EXT-STS:task_state'] === 'migrating';
        const { length } = await listMigrations(instanceId);
        return isMoving && length === 0 ? undefined : length;
      }),
    async close() {
      await nova.close();
      await drop();
    },
  };
};

/** Nova begins a live migration some time after it has accepted it: what has been accepted must stall nevertheless. */
const unstall = async (instanceId: string): Promise<void> => {
  await until('what was accepted has begun', async () => {
    const server = await findServer(instanceId);
    if (server?.['OS-EXT-STS:task_state'] !== 'migrating') return true;
    return (await listMigrations(instanceId)).some(({ status }) => status === 'running') ? true : undefined;
  });
  await removeFault(instanceId);
};

/** The host is the same for every run of the suite, and what was on it is gone. */
const fill = async (host: string): Promise<void> => {
  await makeServer({ name: 'contract-filler', host });
};
