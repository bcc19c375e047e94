/** When a question to a project asks the cloud for the terms that projects tell it. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createQuestionActivities } from '../../../../activities/questions/question-activities';
import type { Services } from '../../../../activities/services';
import type { ProjectTerms } from '../../../../rules/cloud/terms';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const limits = { nackRetries: 0, nackRetrySeconds: 60, projectReplySeconds: 60 };

/** A session that asks its only project in the state, in a cloud that tells these terms, or that does not answer. */
const anAskingSession = async (state: string, told: ProjectTerms | 'away') => {
  const { db } = database;
  const { sessionId, run } = await recordRun(db, { state }, [{ hostname: 'a', phase: 'maintained' }]);
  const projectId = randomUUID();
  const instance = { instanceId: randomUUID(), instanceName: 'vm', projectId, host: 'a', state: 'ACTIVE' };
  await db.sessionInstance.create({ data: { sessionId, ...instance } });
  let calls = 0;
  const projectTerms = () => {
    calls += 1;
    return told === 'away'
      ? Promise.reject(new Error('the cloud does not answer'))
      : Promise.resolve(new Map([[projectId, told]]));
  };
  const publisher = {
    publish: () => db.question.updateMany({ where: { status: 'open' }, data: { askedAt: new Date() } }),
  };
  const logger = pino({ level: 'silent' });
  const services = { db, limits, drafts, publisher, logger, cloud: { projectTerms } } as unknown as Services;
  return {
    ask: () => run(() => createQuestionActivities(services).askProjects({ sessionId, state })),
    calls: () => calls,
    answeredBy: async () => (await db.question.findFirst({ where: { sessionId } }))?.answeredBy,
  };
};

it('asks the cloud only where it would ask something new', async () => {
  const answers = { MAINTENANCE_COMPLETE: 'ACK' } as const;
  const session = await anAskingSession('MAINTENANCE_COMPLETE', { ask: 'never', answers });
  expect(await session.ask()).toMatchObject({ settled: true });
  expect(await session.answeredBy()).toBe('terms');
  expect(session.calls()).toBe(1);
  await session.ask();
  expect(session.calls()).toBe(1);
});

it('tells projects of the end by stored terms while the cloud is away', async () => {
  const session = await anAskingSession('MAINTENANCE_COMPLETE', 'away');
  expect(await session.ask()).toMatchObject({ settled: false });
  expect(await session.answeredBy()).toBeNull();
});

it('asks no project about another state while the cloud is away', async () => {
  const session = await anAskingSession('OWN_STATE', 'away');
  await expect(session.ask()).rejects.toThrow('the cloud does not answer');
  expect(await session.answeredBy()).toBeUndefined();
});
