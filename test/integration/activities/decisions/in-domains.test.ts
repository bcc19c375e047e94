/** Shows that a session keeps its limits of zones, and that a change of them counts at the next decision. */
import { Prisma } from '@prisma/client';
import { pino } from 'pino';
import { createDecisionActivities } from '../../../../activities/decisions/decision-activities';
import { createDecisionTurns } from '../../../../activities/decisions/decision-turns';
import type { Services } from '../../../../activities/services';
import { usualTimes } from '../../../../rules/decisions/fleet/usual-times';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn, hostStartSeconds, targetFor } from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const zones = { a1: 'a', a2: 'a', b1: 'b' };
const names = Object.keys(zones);

const services = (): Services => {
  const { db } = database;
  const hosts = Object.entries(zones).map(([name, zone]) => ({ ...targetFor(2), name, labels: { zone } }));
  const listings = {
    listHostsLately: () => Promise.resolve(hosts),
    listHosts: () => Promise.resolve(hosts),
    listInstances: () => Promise.resolve([]),
  };
  const limits = {
    ...{ hostStartSeconds, projectReplySeconds: 60, defaultImpactShare: 1 },
    expectedMaintenanceSeconds: usualTimes.maintenanceSeconds,
    expectedMoveSeconds: usualTimes.moveSeconds,
    expectedAnswerSeconds: usualTimes.answerSeconds,
  };
  const cloud = aCloudWith(db, { instance: anInstanceOn('elsewhere') }, listings);
  const logger = pino({ level: 'silent' });
  // The services that these activities need.
  const decisionTurns = createDecisionTurns();
  return { db, cloud, decisionTurns, drafts, limits, logger, measures: noMeasures } as unknown as Services;
};

const state = 'PLANNED_MAINTENANCE';

it('drains one host of each zone, and the other one when the limit is gone', async () => {
  const { db } = database;
  const session = { state, workflow: 'vnf', actions: [], maxParallelPer: { zone: 1 } };
  const { sessionId, run } = await recordRun(
    db,
    session,
    names.map((hostname) => ({ hostname })),
  );
  const decide = async () => {
    await run(() => createDecisionActivities(services()).planAndAdmit({ sessionId, state }));
    const hosts = await db.sessionHost.findMany({ where: { sessionId }, orderBy: { hostname: 'asc' } });
    return hosts.map(({ hostname, phase }) => [hostname, phase]);
  };
  const one = [
    ['a1', 'emptying'],
    ['a2', 'waiting'],
    ['b1', 'emptying'],
  ];
  expect(await decide()).toEqual(one);
  expect(await decide()).toEqual(one);
  await db.session.update({ where: { id: sessionId }, data: { maxParallelPer: Prisma.DbNull } });
  expect(await decide()).toEqual(names.map((name) => [name, 'emptying']));
});
