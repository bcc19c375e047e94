/** Nova's own rules hold beside a project's constraints: its manager lets members share a host, Nova does not. */
import { violationsIn } from '../checker/check-trace';
import { watchMoves } from '../checker/watch-moves';
import { aGate } from '../integration/events/a-gate';
import { anAdmin } from '../integration/rig/admin';
import type { Policy } from '../integration/rig/manager';
import { type Rig, startRig } from '../integration/rig/rig';
import { openStackEnvironment } from './rig/driver-under-test';
import { mirrorCloud } from './rig/mirror-cloud';
import {
  enableOnly,
  listMigrations,
  listServers,
  makeAntiAffinityGroup,
  makeServerGroup,
  makeServers,
} from './rig/operator';
import { keepSilent } from './rig/silent-projects';
import { storeConstraints } from './rig/store-constraints';
import { audit, keepAuditing } from './rig/switches';

const hosts = ['compute-1', 'compute-2', 'compute-3', 'compute-4'];

let rig: Rig;
let group: string;
let members: Awaited<ReturnType<typeof makeServers>>;
let endAudits = (): void => undefined;
let endSilence = (): void => undefined;

const reasonIsSeen = aGate();
/** The window of a question about an instance ends when the test has seen for what the session waits. */
const silentOnceSeen: Policy = async ({ state }) => {
  if (state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE') await reasonIsSeen.passed;
  return 'silent' as const;
};

beforeAll(async () => {
  await enableOnly(hosts);
  group = await makeAntiAffinityGroup('apart by Nova');
  members = await makeServers([1, 2].map((n) => ({ name: `member-${n}`, host: `compute-${n}`, group })));
  await audit();
  endAudits = keepAuditing();
  rig = await startRig({
    environment: { ...openStackEnvironment(), PARLEY_MOVE_SECONDS: '120', PARLEY_PROJECT_REPLY_SECONDS: '600' },
  });
  endSilence = await keepSilent(rig, silentOnceSeen);
});
afterAll(async () => {
  endSilence();
  endAudits();
  await rig.stop();
});

it('moves members of an anti-affinity group whose constraints have none apart, and Nova refuses nothing', async () => {
  const admin = anAdmin(rig.url);
  const project_id = members[0]!.tenant_id;
  const limits = { anti_affinity_group: false, max_instances_per_host: 0, max_impacted_members: 2, recovery_time: 0 };
  const stored = { project_id, group_id: group, group_name: 'together', resource_mitigation: false, ...limits };
  await storeConstraints(admin, `/instance_group/${group}`, stored);
  for (const { id, name } of members) {
    const times = { max_interruption_time: 60, lead_time: 0, migration_type: 'LIVE_MIGRATE' };
    const instance = { instance_id: id, project_id, group_id: group, instance_name: name, ...times };
    await storeConstraints(admin, `/instance/${id}`, { ...instance, resource_mitigation: false });
  }
  await mirrorCloud(rig.db, rig.services.cloud);
  const recording = await watchMoves(rig.db);
  const sessionId = await admin.create({ hosts: ['compute-1', 'compute-2'], workflow: 'vnf' });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(violationsIn(await recording.read())).toEqual([]);
  const migrations = (await Promise.all(members.map(({ id }) => listMigrations(id)))).flat();
  expect(migrations.map(({ status }) => status)).toEqual(['completed', 'completed']);
  const at = (await listServers()).map((server) => server['OS-EXT-SRV-ATTR:host']);
  expect(new Set(at).size).toBe(2);
});

it('asks Nova for no move of what an affinity group holds together, and fails where its project does not act', async () => {
  const together = await makeServerGroup({ name: 'together by Nova', policy: 'affinity' });
  const held = await makeServers([1, 2].map((n) => ({ name: `held-${n}`, host: 'compute-1', group: together })));
  const admin = anAdmin(rig.url);
  const sessionId = await admin.create({ hosts: ['compute-1'], workflow: 'vnf' });
  const waits = await admin.untilReason(sessionId, ({ because }) => because !== undefined);
  reasonIsSeen.open();
  expect(held.map(({ id }) => id)).toContain(waits.who);
  expect(waits.because).toContain(`server group together by Nova (${together})`);
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toMatch(
    /instance held-[12] \(.*\) could not be moved: .*OWN_ACTION.*, then continue the session/,
  );
  const asked = await rig.db.question.findMany({ where: { sessionId, hostname: 'compute-1' } });
  expect(new Set(asked.map(({ allowedActions }) => JSON.stringify(allowedActions)))).toEqual(
    new Set(['["OWN_ACTION"]']),
  );
  expect((await Promise.all(held.map(({ id }) => listMigrations(id)))).flat()).toEqual([]);
});
