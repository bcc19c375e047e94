/**
 * The only worker is killed (kill -9) while two hundred moves are in flight: the next worker attaches to each of them,
 * and none is begun again.
 */
import { aLooseFleet, looseProject } from '../../builders/a-loose-fleet';
import { eventually } from '../../waiting/eventually';
import { anAdmin } from '../rig/admin';
import { endHeldMoves, held, timeForHeldMoves } from '../rig/held-moves';
import { startWorkerToKill } from '../rig/killed-worker';
import { acknowledge, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';

const hosts = Array.from({ length: 20 }, (_, index) => `compute-${index + 1}`);
const fleet = aLooseFleet({ hosts, instancesOnEach: 10, instance: held });
const moves = fleet.instances.length;

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ fleet, environment: timeForHeldMoves });
});
afterAll(() => rig.stop());

/** A host counts as attended by a dead worker for less time than this. */
const attendedByDeadMs = 13_000;

const running = () => rig.db.simMove.count({ where: { status: 'running' } });

it('are watched by the next worker to their ends, and each instance has moved once', async () => {
  await rig.stopWorker();
  const worker = await startWorkerToKill(rig, timeForHeldMoves);
  const manager = startManager({ url: rig.url, projectId: looseProject, policy: acknowledge });
  const admin = anAdmin(rig.url);
  const request = { workflow: 'vnf', hosts, actions: [{ plugin: 'dummy', type: 'host' }] };
  const sessionId = await admin.create(request);
  await eventually({ what: 'all instances move', isLasting: true, ...admin.watching(sessionId) }, async () => {
    return (await running()) === moves || undefined;
  });
  await worker.kill();
  const killedAt = Date.now();
  await rig.restartWorker();
  await eventually({ what: 'the next worker attends all hosts', isLasting: true }, async () => {
    const attendedUntil = { gt: new Date(killedAt + attendedByDeadMs) };
    return (await rig.db.sessionHost.count({ where: { sessionId, attendedUntil } })) === hosts.length || undefined;
  });
  expect(await running()).toBe(moves);
  await endHeldMoves(rig.db, fleet.instances);
  expect((await admin.until(sessionId, 'MAINTENANCE_DONE')).percent_done).toBe(100);
  manager.stop();
  const begun = await rig.db.simMove.groupBy({ by: ['instanceId', 'status'], _count: true });
  expect(begun.map(({ status, _count }) => `${status} ${_count}`)).toEqual(Array(moves).fill('done 1'));
  const claims = await rig.db.claim.groupBy({ by: ['instanceId'], where: { sessionId }, _count: true });
  expect(claims.map(({ _count }) => _count)).toEqual(Array(moves).fill(1));
});
