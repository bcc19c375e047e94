/** The example of a VNFM, as a process of its own beside the service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { eventually } from '../../waiting/eventually';
import { anAdmin } from '../rig/admin';
import { type Rig, startRig } from '../rig/rig';
import { type Door, openDoor } from './door';

const root = path.join(__dirname, '../../..');

const instance = aFleetInstance({ move_s: 1 });
const { project_id, instance_id, instance_name } = instance;
const group = aFleetGroup({ recovery_time: 0 });
const limits = { max_interruption_time: 60, resource_mitigation: false, lead_time: 30 };
const descriptor = {
  name: 'web',
  project_id,
  groups: [group],
  instances: [{ instance_id, instance_name, group_id: group.group_id, migration_type: 'MIGRATE', ...limits }],
};

let door: Door;
let folder: string;
let rig: Rig;
let vnfm: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-vnfm-'));
  const file = path.join(folder, 'web.json');
  await writeFile(file, JSON.stringify(descriptor));
  door = await openDoor(() => rig.url);
  const hosts = ['compute-1', 'compute-2'].map((name) => aFleetHost({ name, maintenance_s: 0 }));
  rig = await startRig({
    fleet: aFleetFile({ hosts, instances: [instance] }),
    environment: {
      PARLEY_BASE_URL: door.url,
      PARLEY_PROJECT_EVENT_TYPE: 'maintenance.scheduled',
      PARLEY_PROJECT_REPLY_SECONDS: '30',
    },
  });
  const program = [
    '--conditions=parley-source',
    '--require',
    './test/run/run-typescript.cjs',
    './examples/vnfm/vnfm.ts',
    file,
  ];
  const env = { ...process.env, PARLEY_URL: door.url };
  vnfm = spawn(process.execPath, program, { cwd: root, env, stdio: 'ignore' });
});
afterAll(async () => {
  if (vnfm?.kill()) await once(vnfm, 'exit');
  door.close();
  await rm(folder, { recursive: true, force: true });
  await rig.stop();
});

const untilConstraintsAreStored = async (): Promise<void> => {
  await eventually('constraints are stored', async () => (await rig.db.instanceConstraint.count()) || undefined);
  expect(await rig.db.instanceConstraint.count()).toBe(1);
};

it('answers whatever its project is asked, also where the operator has renamed the event', async () => {
  await untilConstraintsAreStored();
  const admin = anAdmin(rig.url);
  const sessionId = await admin.create();
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const questions = await rig.db.question.findMany({ where: { sessionId }, orderBy: { createdAt: 'asc' } });
  const states = ['MAINTENANCE', 'PLANNED_MAINTENANCE', 'MAINTENANCE_COMPLETE'];
  expect(questions.map(({ state, answer }) => ({ state, answer }))).toEqual(
    states.map((state) => ({ state, answer: 'ACK' })),
  );
  const moves = await rig.db.simMove.findMany({ where: { instanceId: uuidNumber(1) } });
  expect(moves).toMatchObject([{ action: 'MIGRATE', status: 'done' }]);
});
