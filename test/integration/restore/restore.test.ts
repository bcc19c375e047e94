/** PostgreSQL, or Temporal, is restored from a physical backup while the other and the cloud went on. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { holdSessions } from '../../../activities/upkeep/hold-sessions';
import { createSweepActivities } from '../../../activities/upkeep/sweep-activities';
import { anyFreePort } from '../../../cli/stack/ports';
import { findTemporalProgram } from '../../../cli/stack/temporal-program';
import { openDatabase } from '../../../prisma/database';
import { taskQueue, workflowTypes } from '../../../temporal/workflow-messages';
import { aConstrainedInstance, aFleetFile, aFleetGroup, aFleetHost, uuidNumber } from '../../builders/a-fleet-file';
import { eventually } from '../../waiting/eventually';
import { continueFailed, untilDone, untilIt } from '../continue/continued-session';
import { type Admin, anAdmin } from '../rig/admin';
import { endMove, held } from '../rig/held-moves';
import { heldUntil } from '../rig/held-plugin';
import { type Rig, startRig } from '../rig/rig';
import { fileFolder } from '../setup/file-folder';
import { migrated } from '../setup/migrating-process';
import { type PostgresOfFolder, startPostgresOfFolder, startTemporalOfFile, type TemporalOfFile } from './backup';

/** Each has a host to start with and one whose instance moves there. */
const zones = ['database', 'temporal'] as const;
type ZoneName = (typeof zones)[number];
const first = (zone: ZoneName) => `${zone}-1`;
const second = (zone: ZoneName) => `${zone}-2`;
const instanceOf = (zone: ZoneName) => uuidNumber(1 + zones.indexOf(zone));
const groupOf = (zone: ZoneName) => uuidNumber(501 + zones.indexOf(zone));
const projectOf = (zone: ZoneName) => uuidNumber(901 + zones.indexOf(zone));

/** Each size fits one zone only. */
const sizeOf = (zone: ZoneName) => ({ vcpus: 2 + 4 * zones.indexOf(zone), memory_mb: 4096 });

const fleet = aFleetFile({
  hosts: zones.flatMap((zone, n) =>
    [first(zone), second(zone)].map((name) => aFleetHost({ name, vcpus: n === 0 ? 2 : 6, memory_mb: 4096 })),
  ),
  groups: zones.map((zone) =>
    aFleetGroup({ group_id: groupOf(zone), project_id: projectOf(zone), anti_affinity_group: false, recovery_time: 0 }),
  ),
  instances: zones.map((zone) =>
    aConstrainedInstance({
      ...sizeOf(zone),
      instance_id: instanceOf(zone),
      instance_name: zone,
      group_id: groupOf(zone),
      project_id: projectOf(zone),
      host: second(zone),
      lead_time: 0,
      max_interruption_time: 120,
      ...held, // until `arrive`
    }),
  ),
});

let temporal: TemporalOfFile;
let postgres: PostgresOfFolder;
let rig: Rig;
let admin: Admin;
beforeAll(async () => {
  const folder = fileFolder();
  temporal = await startTemporalOfFile({
    program: await findTemporalProgram({ env: process.env, tell: () => undefined }),
    databaseFile: path.join(folder, 'temporal.db'),
    logFile: path.join(folder, 'temporal.log'),
    port: await anyFreePort(),
    namespace: 'default',
  });
  postgres = await startPostgresOfFolder({
    dataFolder: path.join(folder, 'postgres'),
    logFile: path.join(folder, 'postgres.log'),
    port: await anyFreePort(),
    unsafeButFast: true,
  });
  const url = postgres.urlOf('parley');
  expect(await migrated(url)).toMatch(/^applied [1-9]/);
  const db = openDatabase({ url });
  const serviceDatabase = { url, db };
  rig = await startRig({
    fleet,
    temporalAddress: temporal.address,
    serviceDatabase,
    actionPlugins: [untilPaused],
    environment: { PARLEY_PROJECT_REPLY_SECONDS: '1' },
  });
  admin = anAdmin(rig.url);
});
afterAll(async () => {
  await rig.stop();
  await rig.db.$disconnect();
  await postgres.stop();
  await temporal.stop();
});

/** Sessions whose first host may be maintained. */
const paused = new Set<string>();
const untilPaused = heldUntil('until-paused', ({ session: { id } }) =>
  eventually(`session ${id} is paused`, () => Promise.resolve(paused.has(id) || undefined)),
);

const movesOf = (zone: ZoneName) => rig.cloudDb.simMove.findMany({ where: { instanceId: instanceOf(zone) } });
const disabledHosts = async () =>
  (await rig.cloudDb.simHost.findMany({ where: { disabled: true } })).map(({ name }) => name);

/** Has a backup made when the first host is maintained, before anything moves: the session is paused just then. */
const untilBackUp = async (zone: ZoneName, backUp: () => Promise<void>): Promise<string> => {
  const actions = [{ plugin: untilPaused.name, type: 'host' }];
  const sessionId = await admin.create({ hosts: [first(zone), second(zone)], actions });
  const countHosts = (where: object) => async () =>
    (await rig.db.sessionHost.count({ where: { sessionId, ...where } })) || undefined;
  const announced = countHosts({ announcedAt: { not: null } });
  await eventually({ what: 'the first host is in maintenance', ...admin.watching(sessionId) }, announced);
  await admin.call('POST', `/maintenance/${sessionId}/pause`);
  paused.add(sessionId);
  const maintained = countHosts({ maintained: true });
  await eventually({ what: 'the first host is maintained', ...admin.watching(sessionId) }, maintained);
  await rig.stopWorker();
  await backUp();
  await rig.restartWorker();
  await admin.call('POST', `/maintenance/${sessionId}/resume`);
  return sessionId;
};

/** The second host is disabled by then, and its instance on its way. */
const untilMoving = async (zone: ZoneName, sessionId: string): Promise<void> => {
  const moves = async () => (await movesOf(zone)).length || undefined;
  await eventually({ what: 'the instance moves', ...admin.watching(sessionId) }, moves);
  await rig.stopWorker();
};

const arrive = async (zone: ZoneName): Promise<void> => {
  await endMove(rig.cloudDb, { instanceId: instanceOf(zone) });
  await eventually('the move has ended in the cloud', async () => {
    const moving = await rig.services.cloud.listMoving();
    return moving.every(({ instanceId }) => instanceId !== instanceOf(zone)) || undefined;
  });
};

const expectHeld = async (sessionId: string): Promise<void> => {
  await rig.restartWorker();
  await createSweepActivities(rig.services).sweepOnce();
  const { state, session } = await admin.detail(sessionId);
  expect(state).toBe('MAINTENANCE_FAILED');
  expect(session.failure).toContain('held after a restore');
};

describe('PostgreSQL is restored to before a host was disabled and a move began', () => {
  it('holds the session until the move has ended and an admin resumes it, and moves nothing twice', async () => {
    const sessionId = await untilBackUp('database', () => postgres.backUp());
    await untilMoving('database', sessionId);
    await postgres.restore();

    const { strangeMoves, sessionIds } = await holdSessions(rig.services);
    expect(sessionIds).toEqual([sessionId]);
    expect(strangeMoves.map(({ instanceId }) => instanceId)).toEqual([instanceOf('database')]);
    await arrive('database');
    expect(await holdSessions(rig.services)).toMatchObject({ endedWorkflows: 0, strangeMoves: [], strangeHosts: [] });

    await expectHeld(sessionId);
    expect(await disabledHosts()).toEqual([second('database')]);
    const { hosts } = await admin.detail(sessionId);
    expect(hosts.map(({ phase }) => phase)).toEqual(['maintained', 'failed']);

    await continueFailed(admin, sessionId);
    expect((await untilDone(admin, sessionId)).percent_done).toBe(100);
    expect((await movesOf('database')).map(({ status }) => status)).toEqual(['done']);
    expect(await disabledHosts()).toEqual([]);
  });
});

describe('Temporal is restored to before a host was maintained and a move began', () => {
  it('holds the session until an admin resumes it, moves nothing twice and maintains no host twice', async () => {
    const sessionId = await untilBackUp('temporal', () => temporal.backUp());
    await untilMoving('temporal', sessionId);
    await temporal.restore();

    const held = await holdSessions(rig.services);
    expect(held).toMatchObject({ sessionIds: [sessionId], strangeMoves: [], strangeHosts: [] });
    expect(held.endedWorkflows).toBeGreaterThan(0);

    await expectHeld(sessionId);
    await arrive('temporal');
    const isOver = async () => (await rig.db.claim.count({ where: { sessionId, outcome: 'done' } })) === 1 || undefined;
    await eventually('the sweeper has recorded the end of the move', isOver);

    await continueFailed(admin, sessionId);
    await untilIt(admin, { sessionId, what: 'is done' }, ({ state }) => state === 'MAINTENANCE_DONE');
    // The session publishes its last events after it is done.
    await rig.client.workflow.getHandle(sessionId).result();
    expect((await movesOf('temporal')).map(({ status }) => status)).toEqual(['done']);
    const plugins = await rig.db.actionPluginInstance.findMany({ where: { sessionId, hostname: first('temporal') } });
    expect(plugins.map(({ status, attempts }) => ({ status, attempts }))).toEqual([{ status: 'done', attempts: 1 }]);
    expect(await disabledHosts()).toEqual([]);
  });
});

describe('PostgreSQL is restored to before a session was created', () => {
  it("ends the session's workflow, and names the host that it has disabled, which stays so", async () => {
    const unknown = randomUUID();
    await rig.stopWorker();
    const { session: type } = workflowTypes;
    await rig.client.workflow.start(type, { taskQueue, workflowId: unknown, args: [{ sessionId: unknown }] });
    await eventually("Temporal's list, which is behind its histories, shows the workflow", async () => {
      const { count } = await rig.client.workflow.count(`WorkflowId = '${unknown}'`);
      return count === 1 || undefined;
    });
    const disabledReason = `maintenance session ${unknown}`;
    const name = first('database');
    await rig.cloudDb.simHost.update({ where: { name }, data: { disabled: true, disabledReason } });

    const { strangeHosts, sessionIds } = await holdSessions(rig.services);
    expect(sessionIds).toEqual([]);
    const { status } = await rig.client.workflow.getHandle(unknown).describe();
    expect(status.name).toBe('TERMINATED');
    expect(strangeHosts).toMatchObject([{ name, disabledReason }]);

    await rig.restartWorker();
    await createSweepActivities(rig.services).sweepOnce();
    expect(await disabledHosts()).toEqual([name]);
  });
});
