/** A session of the workflow `default` over the whole cloud, from POST to MAINTENANCE_DONE. */
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { type Admin, anAdmin } from '../rig/admin';
import { acknowledge, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';

const projectId = uuidNumber(901);

const fleet = aFleetFile({
  hosts: [1, 2].map((n) => aFleetHost({ name: `compute-${n}`, maintenance_s: 30 })),
  instances: [
    aFleetInstance({
      instance_id: uuidNumber(1),
      instance_name: 'vm-1',
      project_id: projectId,
      host: 'compute-1',
      move_s: 20,
    }),
  ],
});

let rig: Rig;
let admin: Admin;

beforeAll(async () => {
  rig = await startRig({ fleet, impactShare: 0 });
  admin = anAdmin(rig.url);
});
afterAll(() => rig.stop());

it('maintains all hosts of the cloud when none are named', async () => {
  const manager = startManager({ url: rig.url, projectId, policy: acknowledge });
  const sessionId = await admin.create({ hosts: [], actions: [{ plugin: 'dummy', type: 'host' }] });
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  manager.stop();
  expect(detail.percent_done).toBe(100);
  expect(detail.hosts.map(({ hostname, maintained, disabled }) => ({ hostname, maintained, disabled }))).toEqual(
    fleet.hosts.map(({ name }) => ({ hostname: name, maintained: true, disabled: false })),
  );
});
