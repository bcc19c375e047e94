/** The example of a VNFM, as a process of its own beside the service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { eventually } from '../../waiting/eventually';
import { anAdmin } from '../rig/admin';
import { type Rig, startRig } from '../rig/rig';

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

/** The service's address: known before it listens, because its events contain it. */
const door = createServer((request, response) => {
  const { method, headers, url } = request;
  const passedOn = ask(new URL(url!, rig.url), { method: method!, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  passedOn.on('error', () => response.destroy());
  request.pipe(passedOn);
});
const doorUrl = (): string => `http://127.0.0.1:${(door.address() as AddressInfo).port}`;

let folder: string;
let rig: Rig;
let vnfm: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-vnfm-'));
  const file = path.join(folder, 'web.json');
  await writeFile(file, JSON.stringify(descriptor));
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const hosts = ['compute-1', 'compute-2'].map((name) => aFleetHost({ name, maintenance_s: 0 }));
  rig = await startRig({
    fleet: aFleetFile({ hosts, instances: [instance] }),
    environment: {
      PARLEY_BASE_URL: doorUrl(),
      PARLEY_PROJECT_EVENT_TYPE: 'maintenance.scheduled',
      PARLEY_PROJECT_REPLY_SECONDS: '30',
    },
  });
  const program = ['--conditions=parley-source', '--require', './test/run/run-typescript.cjs', './examples/vnfm/vnfm.ts', file];
  const env = { ...process.env, PARLEY_URL: doorUrl() };
  vnfm = spawn(process.execPath, program, { cwd: root, env, stdio: 'ignore' });
});
afterAll(async () => {
  if (vnfm?.kill()) await once(vnfm, 'exit');
  door.close();
  door.closeAllConnections();
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
