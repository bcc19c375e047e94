/**
 * Days on which the database has no connection or no lock to give: callers are told to come back, activities are tried
 * again, and the session goes on where it was.
 */
import { type DatabaseLimits, inTransaction, takeLock } from '../../../prisma/database';
import { sessionWorkflowId } from '../../../temporal/workflow-messages';
import { aLooseFleet, looseProject } from '../../builders/a-loose-fleet';
import { eventually } from '../../waiting/eventually';
import { aGate } from '../events/a-gate';
import { type Admin, anAdmin } from '../rig/admin';
import { endHeldMoves, held, timeForHeldMoves, untilMoving } from '../rig/held-moves';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { createCrowdedDatabase, type CrowdedDatabase } from './crowded-database';

/** Short ones, since the test waits until they have passed. */
const limits: DatabaseLimits = { connectionMs: 2_000, poolMs: 2_000, transactionMs: 3_000 };

/** One for each test. */
const hosts = ['used-up', 'locked'] as const;
const fleet = aLooseFleet({ hosts, instancesOnEach: 2, instance: held });
const instancesOn = (name: string) => fleet.instances.filter(({ host }) => host === name);

/** The lines of the service's log at warn and above. */
const warnings: string[] = [];
const log = (line: string): void => {
  if ((JSON.parse(line) as { readonly level: number }).level >= 40) warnings.push(line);
};

let database: CrowdedDatabase;
let rig: Rig;
let admin: Admin;
let manager: Manager;

beforeAll(async () => {
  database = await createCrowdedDatabase(limits);
  rig = await startRig({ fleet, serviceDatabase: database, environment: timeForHeldMoves, log });
  admin = anAdmin(rig.url);
  manager = startManager({ url: rig.url, projectId: looseProject, policy: acknowledge });
});
afterAll(async () => {
  manager.stop();
  await rig.stop();
  await database.drop();
});

const sessionOn = (host: string): Promise<string> =>
  admin.create({ workflow: 'vnf', hosts: [host], actions: [{ plugin: 'dummy', type: 'host' }] });

/** As a caller that does not come back by itself. */
const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${rig.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Stores the constraints of the first of them anew. */
const storeConstraints = ([instance]: ReturnType<typeof instancesOn>): Promise<Response> => {
  const { instance_id, instance_name, project_id, group_id } = instance!;
  const { migration_type, lead_time, max_interruption_time, resource_mitigation } = instance!;
  const limits = { migration_type, lead_time, max_interruption_time, resource_mitigation };
  return ask('PUT', `/instance/${instance_id}`, { instance_id, instance_name, project_id, group_id, ...limits });
};

/** Waits until an activity of the workflow has failed so many times that its next attempt has this number. */
const untilTriedAgain = (workflowId: string, activity: string, attempt: number) =>
  eventually(`${activity} is tried a time of number ${attempt}`, async () => {
    const { raw } = await rig.client.workflow.getHandle(workflowId).describe();
    const pending = raw.pendingActivities?.find(({ activityType }) => activityType?.name === activity);
    return (pending?.attempt ?? 0) >= attempt || undefined;
  });

/** The service says each time when something could not be recorded. */
const untilWarned = (times: number) =>
  eventually('the service tries again and again', () => Promise.resolve(warnings.length >= times || undefined));

const movesOf = (host: string) =>
  rig.cloudDb.simMove.findMany({ where: { source: host }, select: { instanceId: true, status: true } });

const seeEachMovedOnce = async (host: string): Promise<void> => {
  const moves = await movesOf(host);
  expect(moves.toSorted((one, other) => one.instanceId.localeCompare(other.instanceId))).toEqual(
    instancesOn(host).map(({ instance_id: instanceId }) => ({ instanceId, status: 'done' })),
  );
};

it('while another program has all connections, callers get 503, and nothing is done twice afterwards', async () => {
  const [host] = hosts;
  const instances = instancesOn(host);
  const sessionId = await sessionOn(host);
  for (const { instance_id: instanceId } of instances) await untilMoving(rig.cloudDb, { instanceId });
  await database.useUp();
  warnings.length = 0;
  const answers = [
    await ask('GET', `/maintenance/${sessionId}/detail`),
    await storeConstraints(instances),
    await ask('POST', `/maintenance/${sessionId}/pause`),
  ];
  for (const { status, headers } of answers) expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  await endHeldMoves(rig.cloudDb, instances);
  await untilWarned(5);
  await database.free();
  expect((await admin.until(sessionId, 'MAINTENANCE_DONE')).percent_done).toBe(100);
  await seeEachMovedOnce(host);
});

it('a decision that does not get its lock in time is made again, and holds up no request meanwhile', async () => {
  const [, host] = hosts;
  const instances = instancesOn(host);
  const gate = aGate();
  const holding = aGate();
  const locked = inTransaction(database.ofTest, async (tx) => {
    await takeLock(tx, 'decision');
    holding.open();
    await gate.passed;
  });
  await holding.passed;
  const sessionId = await sessionOn(host);
  await untilTriedAgain(sessionWorkflowId(sessionId), 'planAndAdmit', 3);
  const answers = [await ask('GET', `/maintenance/${sessionId}/detail`), await storeConstraints(instances)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await movesOf(host)).toEqual([]);
  gate.open();
  await locked;
  await endHeldMoves(rig.cloudDb, instances);
  expect((await admin.until(sessionId, 'MAINTENANCE_DONE')).percent_done).toBe(100);
  await seeEachMovedOnce(host);
});
