/** A session says which right the service lacks in the cloud, also where the cloud lists nothing without it. */
import { pino } from 'pino';
import { createDecisionActivities } from '../../../../activities/decisions/decision-activities';
import { createDecisionTurns } from '../../../../activities/decisions/decision-turns';
import { createQuestionActivities } from '../../../../activities/questions/question-activities';
import type { Services } from '../../../../activities/services';
import type { CloudDriver } from '../../../../clouds/cloud-driver';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn } from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const rule = 'os_compute_api:os-extended-server-attributes';
const hidden = new Error('Nova hides the hosts of servers');
const hides: Partial<CloudDriver> = {
  listInstances: () => Promise.reject(hidden),
  missingRights: () => Promise.resolve([{ rule, neededTo: 'know on which host a server is', severity: 'stops' }]),
};

const servicesWith = (given: Partial<CloudDriver>): Services => {
  const { db } = database;
  const cloud = aCloudWith(db, { instance: anInstanceOn('a') }, given);
  // The services that these activities need.
  const decisionTurns = createDecisionTurns();
  return { db, cloud, decisionTurns, logger: pino({ level: 'silent' }), limits: {} } as unknown as Services;
};

const waitingOf = async (sessionId: string): Promise<unknown> =>
  (await database.db.session.findUniqueOrThrow({ where: { id: sessionId } })).waiting;

it.each([
  { name: 'askProjects', state: 'MAINTENANCE' },
  { name: 'chooseBeginning', state: 'MAINTENANCE' },
  { name: 'planAndAdmit', state: 'PREPARE_MAINTENANCE' },
  { name: 'scaleIn', state: 'SCALE_IN' },
] as const)('$name fails, and the session waits for the right', async ({ name, state }) => {
  const done = { hostname: `done in ${name}`, phase: 'maintained', maintained: true };
  const { sessionId, run } = await recordRun(database.db, { state }, [{ hostname: name }, done]);
  const services = servicesWith(hides);
  const activities = { ...createDecisionActivities(services), ...createQuestionActivities(services) };
  await expect(run<unknown>(() => activities[name]({ sessionId, state }))).rejects.toBe(hidden);
  expect(await waitingOf(sessionId)).toMatchObject([
    { waitingFor: 'right', who: name, subject: rule, because: expect.stringContaining(rule) as string },
  ]);
  expect(await database.db.sessionHost.count({ where: { sessionId, phase: 'waiting' } })).toBe(1);
});

it('a session of a cloud that does not answer at all says nothing of rights', async () => {
  const state = 'PREPARE_MAINTENANCE';
  const { sessionId, run } = await recordRun(database.db, { state }, [{ hostname: 'c' }]);
  const missingRights = () => Promise.reject(new Error('nobody answers'));
  const activities = createDecisionActivities(servicesWith({ ...hides, missingRights }));
  await expect(run<unknown>(() => activities.planAndAdmit({ sessionId, state }))).rejects.toBe(hidden);
  expect(await waitingOf(sessionId)).toEqual([]);
});
