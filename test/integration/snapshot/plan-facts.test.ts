/** What a session that is not there yet says about its hosts counts in its plan. */
import { randomUUID } from 'node:crypto';
import { loadPlanFacts } from '../../../api/services/plan-facts';
import type { SessionToPlan } from '../../../api/services/session-in-plan';
import { noSteering } from '../../../prisma/session/session-steering';
import { aCloudWith, anInstanceOn, targetFor } from '../activities/moves/granted-move';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const settings = {
  ...{
    ...{ nackRetries: 2, nackRetrySeconds: 10 },
    projectReplySeconds: 60,
    hostStartSeconds: 30,
    defaultImpactShare: 0.25,
    scaleInReplySeconds: 60,
    scaleInRounds: 1,
  },
  ...{ expectedMaintenanceSeconds: 60, expectedMoveSeconds: 60, expectedAnswerSeconds: 60 },
};
const aPlanned = (hostStartSeconds: number | null): SessionToPlan => ({
  ...noSteering,
  ...{ id: randomUUID(), workflow: 'default', rolling: null, state: 'MAINTENANCE', actions: [], drainOrder: [] },
  ...{
    stateEnteredAt: new Date(),
    maintenanceAt: new Date(),
    begunAt: null,
    canaryEndedAt: null,
    deadlineMissed: null,
  },
  ...{ newHosts: ['b'], hostStartSeconds },
});

it.each([
  { said: 'nothing', hostStartSeconds: null, isDown: true },
  { said: 'that its hosts may take longer', hostStartSeconds: 600, isDown: undefined },
])('a host that went down a minute ago is down: $isDown, where the request says $said', async (given) => {
  const { db } = database;
  const down = { ...targetFor(2), isUp: false, downSince: new Date(Date.now() - 60_000) };
  const listings = { listHosts: () => Promise.resolve([down]), listInstances: () => Promise.resolve([]) };
  const cloud = aCloudWith(db, { instance: anInstanceOn('a') }, listings);
  const planned = aPlanned(given.hostStartSeconds);
  const { input } = await loadPlanFacts({ db, cloud, settings }, () => Promise.resolve(planned), ['b']);
  expect(input.fleet.hosts).toMatchObject([{ name: 'b', enabled: false }]);
  expect(input.fleet.hosts[0]?.isDown).toBe(given.isDown);
});
