/**
 * A session that waits for its turn to decide is not woken, whatever happens: its decision has to see it, although it
 * may share the look of another session.
 */
import { pino } from 'pino';
import { createDecisionActivities } from '../../../../activities/decisions/decision-activities';
import { createDecisionTurns } from '../../../../activities/decisions/decision-turns';
import { tendHost } from '../../../../activities/hosts/host-orders';
import type { Services } from '../../../../activities/services';
import { removeInstance } from '../../../../clouds/simulated/edit-fleet';
import { parseFleet } from '../../../../clouds/simulated/fleet-file';
import { loadFleet } from '../../../../clouds/simulated/load-fleet';
import { createSimulatedCloud } from '../../../../clouds/simulated/simulated-cloud';
import { usualTimes } from '../../../../rules/decisions/fleet/usual-times';
import { lookAtCloud } from '../../../../snapshot/look-at-cloud';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../../builders/a-fleet-file';
import { eventually } from '../../../waiting/eventually';
import { aGate } from '../../events/a-gate';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { hostStartSeconds } from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

const state = 'PLANNED_MAINTENANCE';
const [hostname, elsewhere] = ['a', 'b'];
const [instanceId, projectId] = [uuidNumber(1), uuidNumber(900)];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
  const hosts = [hostname, elsewhere].map((name) => aFleetHost({ name }));
  const instances = [aFleetInstance({ instance_id: instanceId, instance_name: 'vm', host: hostname })];
  await loadFleet(database.db, parseFleet(aFleetFile({ hosts, instances })), { storeConstraints: false });
});
afterEach(() => database.drop());

it('sees that somebody has taken the last instance from a host since the look of another session', async () => {
  const { db } = database;
  const since = new Date(Date.now() - 60_000);
  const host = { phase: 'emptying', disabled: true, disabledAt: since, disabledBefore: false, drainStartedAt: since };
  const { sessionId, run } = await recordRun(db, { state, workflow: 'vnf' }, [{ hostname, ...host }]);
  const seen = { instanceId, instanceName: 'vm', projectId, host: hostname, state: 'ACTIVE' };
  await db.sessionInstance.create({ data: { sessionId, ...seen } });
  const limits = {
    ...{ hostStartSeconds, projectReplySeconds: 60, defaultImpactShare: 1, nackRetrySeconds: 10 },
    expectedMaintenanceSeconds: usualTimes.maintenanceSeconds,
  };
  const cloud = createSimulatedCloud({ db, speed: 1 });
  await cloud.disableHost(hostname, 'test');
  const decisionTurns = createDecisionTurns();
  // The services that these activities need.
  const services = {
    ...{ db, cloud, decisionTurns, drafts, limits, measures: noMeasures, logger: pino({ level: 'silent' }) },
  } as unknown as Services;
  const asked = aGate();
  const ofAnother = decisionTurns.take('another', async (turn) => {
    await asked.passed;
    await turn.look(cloud, 'listHostsLately', () => lookAtCloud(services, 'listHostsLately'));
    await removeInstance(db, instanceId);
    return run(() => tendHost(services, { sessionId, hostname }));
  });
  const planned = run(() => createDecisionActivities(services).planAndAdmit({ sessionId, state }));
  await eventually('the session waits for its turn', () =>
    Promise.resolve(decisionTurns.isAboutToDecide(sessionId) || undefined),
  );
  asked.open();
  expect(await ofAnother).toMatchObject({ report: true });
  expect((await planned).underWork).toEqual([expect.objectContaining({ hostname, phase: 'maintaining' })]);
});
