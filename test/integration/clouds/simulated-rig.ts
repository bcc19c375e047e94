/** The simulated cloud as a rig of the contract suite: a fleet in a database of its own. */
import { randomUUID } from 'node:crypto';
import { addInstance, failNextDisables, failNextMoves, removeInstance } from '../../../clouds/simulated/edit-fleet';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { confirmResize, hideInstance, resizeInstance } from '../../../clouds/simulated/play-faults';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import { openDatabase } from '../../../prisma/database';
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import { movesElsewhere } from '../../../rules/cloud/departure';
import { keyOf } from '../../../rules/cloud/id';
import { simulatedAmounts } from '../../../rules/simulation/simulated-classes';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { createTestDatabase } from '../setup/test-database';
import type { CloudRig } from './contract';

const speed = 100;
const quickSeconds = 4;
const stalledSeconds = 1_000_000;

const fleet = aFleetFile({
  hosts: ['source', 'target', 'elsewhere', 'full'].map((name) =>
    aFleetHost({ name, vcpus: name === 'full' ? 2 : 500, memory_mb: 1_000_000, properties: { zone: 'a' } }),
  ),
  instances: [aFleetInstance({ host: 'full' })],
});

export const makeSimulatedRig = async (): Promise<CloudRig> => {
  const { url, db, drop } = await createTestDatabase();
  const other = openDatabase({ url, poolSize: 4 });
  await loadFleet(db, parseFleet(fleet), { storeConstraints: true });
  const setMoves = async (instanceId: string, data: { moveS: number; actsItself: boolean }): Promise<void> => {
    await db.simInstance.update({ where: { instanceKey: keyOf(instanceId) }, data });
  };
  const add = async (host: string): Promise<CloudInstance> => {
    const projectId = uuidNumber(900);
    const size = { vcpus: 2, memoryMb: 4096 };
    const instanceId = await addInstance(db, { host, projectId, ...size, moveSeconds: quickSeconds });
    const instanceName = `instance-${instanceId.slice(0, 8)}`;
    return {
      instanceId,
      instanceName,
      projectId,
      host,
      flavor: '2x4096',
      departure: movesElsewhere,
      amounts: simulatedAmounts(size),
      state: 'ACTIVE',
    };
  };
  return {
    openDriver: () => createSimulatedCloud({ db: other, speed }),
    source: 'source',
    target: 'target',
    elsewhere: 'elsewhere',
    fullHost: 'full',
    addInstance: () => add('source'),
    async addInstanceApart() {
      const groupId = randomUUID();
      await db.simGroup.create({ data: { groupId, antiAffinity: true, maxInstancesPerHost: 1 } });
      const [instance, other] = [await add('source'), await add('target')];
      const instanceIds = [instance.instanceId, other.instanceId];
      await db.simInstance.updateMany({ where: { instanceKey: { in: instanceIds.map(keyOf) } }, data: { groupId } });
      return instance;
    },
    stall: (instanceId) => setMoves(instanceId, { moveS: stalledSeconds, actsItself: false }),
    unstall: (instanceId) => setMoves(instanceId, { moveS: quickSeconds, actsItself: true }),
    failNextMove: (instanceId) => failNextMoves(db, instanceId, 1),
    deleteInstance: (instanceId) => removeInstance(db, instanceId),
    actAsProject: () => Promise.resolve(), // the simulated project acts by itself
    refuseNextDisable: (host) => failNextDisables(db, host, 1),
    leaveWayBack: (instanceId) => resizeInstance(db, instanceId, 'target'),
    confirm: (instanceId) => confirmResize(db, instanceId),
    async bookHidden(host) {
      const { instanceId } = await add(host);
      await hideInstance(db, instanceId, ['list', 'hypervisor']);
      return instanceId;
    },
    unbook: (instanceId) => removeInstance(db, instanceId),
    countMoves: (instanceId) => db.simMove.count({ where: { instanceId } }),
    async close() {
      await other.$disconnect();
      await drop();
    },
  };
};
