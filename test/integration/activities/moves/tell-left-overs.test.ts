/** A move that went on after its session had stopped is told in the session's detail. */
import { pino } from 'pino';
import { tellLeftOvers } from '../../../../activities/moves/tell-left-overs';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn, grantMove } from './granted-move';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

it.each([
  { situation: 'of a session that has stopped', phase: 'closed', detail: { details: 'it arrived', host: 'b' } },
  {
    situation: 'not while its session acts on the instance again',
    phase: 'moving',
    detail: { details: null, host: 'a' },
  },
] as const)('$situation', async ({ phase, detail }) => {
  const { db } = database;
  const instance = anInstanceOn('a');
  const { claim } = await grantMove(db, instance, { phase });
  const { sessionId, instanceId, instanceName, projectId } = claim;
  await db.sessionInstance.create({
    data: { sessionId, instanceId, instanceName, projectId, host: 'a', state: 'ACTIVE' },
  });
  const leftOver = { claimId: claim.id, words: 'it arrived', host: 'b' };
  const cloud = aCloudWith(db, { instance }, { watchLeftOvers: () => Promise.resolve([leftOver]) });
  await tellLeftOvers({ db, cloud, logger: pino({ level: 'silent' }) });
  expect(await db.sessionInstance.findFirst({ where: { sessionId } })).toMatchObject(detail);
});
