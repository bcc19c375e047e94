/** A project refuses a state of the session for the last time, and its hosts are to be skipped (reply_policy). */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createQuestionActivities } from '../../../../activities/questions/question-activities';
import type { Services } from '../../../../activities/services';
import { createTestDatabase } from '../../setup/test-database';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const state = 'OWN_STATE';
const projectId = randomUUID();
const limits = { nackRetries: 0, nackRetrySeconds: 60, projectReplySeconds: 60 };

/** A session in a state of a workflow from a package, whose only project has refused that. */
const aRefusedSession = async (phase: string) => {
  const { db } = database;
  const replyPolicy = { silence: 'default', lastNack: 'skip_host' };
  const hosts = [{ hostname: 'a', phase, maintained: phase === 'maintained' }];
  const { sessionId, run } = await recordRun(db, { state, replyPolicy }, hosts);
  const instance = { instanceId: randomUUID(), instanceName: 'vm', projectId, host: 'a', state: 'ACTIVE' };
  await db.sessionInstance.create({ data: { sessionId, ...instance } });
  const refusal = { status: 'answered', answer: 'NACK', answeredAt: new Date() };
  const asked = { sessionId, projectId, state, messageId: randomUUID(), windowSeconds: 60 };
  await db.question.create({ data: { ...asked, instanceIds: [], allowedActions: [], ...refusal } });
  const services = { db, limits, cloud: {}, logger: pino({ level: 'silent' }) } as unknown as Services;
  const ask = () => run(() => createQuestionActivities(services).askProjects({ sessionId, state }));
  return { ask, phaseNow: async () => (await db.sessionHost.findFirstOrThrow({ where: { sessionId } })).phase };
};

it('skips the hosts of the project, and asks it nothing any more', async () => {
  const { ask, phaseNow } = await aRefusedSession('waiting');
  expect(await ask()).toMatchObject({ settled: false, lookAgainMs: 1 });
  expect(await phaseNow()).toBe('skipped');
  expect(await ask()).toMatchObject({ settled: true, awaitedProjects: [] });
});

it('fails where no host is left that could be skipped', async () => {
  const { ask, phaseNow } = await aRefusedSession('maintained');
  const { failure } = await ask();
  expect(failure).toContain(`project ${projectId} answered NACK_${state} 1 times`);
  expect(failure).toContain('no host of the session is left that could be skipped for it');
  expect(await phaseNow()).toBe('maintained');
});
