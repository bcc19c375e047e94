/**
 * The primary of PostgreSQL is killed (kill -9) while a session is under way, and its standby takes its place at the
 * address of the service. The replication is synchronous: nothing that was acknowledged is lost, and nothing is done
 * twice.
 */
import { createReadiness } from '../../../api/readiness/readiness';
import { sessionNeeds } from '../../../api/readiness/session-needs';
import { type Database, openDatabase } from '../../../prisma/database';
import { aFleetGroup, uuidNumber } from '../../builders/a-fleet-file';
import { aLooseFleet, looseProject } from '../../builders/a-loose-fleet';
import { eventually } from '../../waiting/eventually';
import { callHttp } from '../../waiting/http';
import { type Admin, anAdmin } from '../rig/admin';
import { endHeldMoves, held, timeForHeldMoves, untilMoving } from '../rig/held-moves';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { serveApi, type ServedApi } from '../rig/serve-api';
import { fileFolder } from '../setup/file-folder';
import { migrated } from '../setup/migrating-process';
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres';

const host = 'one';
const fleet = aLooseFleet({ hosts: [host], instancesOnEach: 3, instance: held });

let postgres: ReplicatedPostgres;
let db: Database;
let rig: Rig;
let admin: Admin;
let manager: Manager;
/** An API that tells its readiness. */
let told: ServedApi;

beforeAll(async () => {
  postgres = await startReplicatedPostgres(fileFolder());
  const url = postgres.urlOf('parley');
  expect(await migrated(url)).toMatch(/^applied [1-9]/);
  db = openDatabase({ url, poolSize: 20 });
  rig = await startRig({ fleet, serviceDatabase: { url, db }, environment: timeForHeldMoves });
  admin = anAdmin(rig.url);
  manager = startManager({ url: rig.url, projectId: looseProject, policy: acknowledge });
  const { settings, services, client } = rig;
  // The worker of a rig shows no signs of life.
  const needs = sessionNeeds({ db, client, cloud: services.cloud }).filter(({ name }) => name !== 'a worker');
  told = await serveApi({ settings, services, readiness: createReadiness(needs) });
});
afterAll(async () => {
  manager.stop();
  await told.stop();
  await rig.stop();
  await db.$disconnect();
  await postgres.stop();
});

const untilReadiness = (status: number, problem: RegExp | undefined) =>
  eventually(`/readyz answers ${status}, ${String(problem)}`, async () => {
    const answer = await callHttp({ method: 'GET', url: `${told.address}/readyz` });
    const { problems } = answer.body as { readonly problems: readonly string[] };
    const isTold = problem === undefined ? problems.length === 0 : problems.some((line) => problem.test(line));
    return (answer.status === status && isTold) || undefined;
  });

/** Stores one group after the other, until one is refused. The list has those that were acknowledged. */
const storeGroups = () => {
  const stored: string[] = [];
  const storeAll = async (): Promise<number> => {
    for (let number = 1; ; number += 1) {
      const group = aFleetGroup({ group_id: uuidNumber(7_000 + number), project_id: looseProject });
      const url = `${rig.url}/instance_group/${group.group_id}`;
      const { status } = await callHttp({ method: 'PUT', url, body: group });
      if (status !== 200) return status;
      stored.push(group.group_id);
    }
  };
  return { stored, refused: storeAll() };
};

it('goes on at the standby once that is promoted, has lost nothing, and moves nothing twice', async () => {
  const sessionId = await admin.create({
    hosts: [host],
    workflow: 'vnf',
    actions: [{ plugin: 'dummy', type: 'host' }],
  });
  for (const { instance_id: instanceId } of fleet.instances) await untilMoving(rig.cloudDb, { instanceId });
  const { stored, refused } = storeGroups();
  await eventually('groups are stored', () => Promise.resolve(stored.length >= 20 || undefined));

  await postgres.killPrimary();
  expect(await refused).toBe(503);
  await untilReadiness(503, /^the database does not answer/);
  await endHeldMoves(rig.cloudDb, fleet.instances);
  await postgres.leadToStandby();
  await untilReadiness(503, /^the database only reads, as a standby does/);
  await postgres.promoteStandby();
  await untilReadiness(200, undefined);

  expect((await admin.until(sessionId, 'MAINTENANCE_DONE')).percent_done).toBe(100);
  const moves = await rig.cloudDb.simMove.findMany({ orderBy: { instanceId: 'asc' } });
  expect(moves.map(({ instanceId, status }) => ({ instanceId, status }))).toEqual(
    fleet.instances.map(({ instance_id: instanceId }) => ({ instanceId, status: 'done' })),
  );
  const kept = await db.groupConstraint.findMany({ where: { groupId: { in: stored } } });
  expect(kept).toHaveLength(stored.length);
});
