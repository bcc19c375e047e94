/** A session of the workflow `default` over the whole cloud, from POST to MAINTENANCE_DONE. */
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { type Admin, anAdmin } from '../rig/admin';
import { acknowledge, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';

const projectA = uuidNumber(901);
const projectB = uuidNumber(902);

const fleet = aFleetFile({
  hosts: [1, 2, 3].map((n) => aFleetHost({ name: `compute-${n}`, maintenance_s: 30 })),
  instances: [1, 2, 3, 4, 5, 6].map((n) =>
    aFleetInstance({
      instance_id: uuidNumber(n),
      instance_name: `vm-${n}`,
      project_id: n % 2 === 0 ? projectA : projectB,
      host: `compute-${(n % 3) + 1}`,
      move_s: 20,
    }),
  ),
});

let rig: Rig;
let admin: Admin;

beforeAll(async () => {
  rig = await startRig({ fleet, impactShare: 0 });
  admin = anAdmin(rig.url);
});
afterAll(() => rig.stop());

it('maintains all hosts of the cloud when none are named', async () => {
  const managers = [projectA, projectB].map((projectId) =>
    startManager({ url: rig.url, projectId, policy: acknowledge }),
  );
  const sessionId = await admin.create({ hosts: [], actions: [{ plugin: 'dummy', type: 'host' }] });
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  for (const manager of managers) manager.stop();
  expect(detail.percent_done).toBe(100);
  expect(detail.hosts.map(({ hostname, maintained, disabled }) => ({ hostname, maintained, disabled }))).toEqual(
    fleet.hosts.map(({ name }) => ({ hostname: name, maintained: true, disabled: false })),
  );
});
