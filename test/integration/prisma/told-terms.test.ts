/** Terms that a cloud tells: recorded with the instances of a session, and read where a question is asked. */
import { randomUUID } from 'node:crypto';
import { databaseNow } from '../../../prisma/database';
import { recordSeenInstances, unseenChanges } from '../../../prisma/hosts/session-instances';
import { findAnswersByTerms } from '../../../prisma/questions/find-answers-by-terms';
import { storeProjectTerms } from '../../../prisma/terms/project-terms';
import { idOf } from '../../../rules/cloud/id';
import type { Terms, ToldTerms } from '../../../rules/cloud/terms';
import { toldOfProjects } from '../../../rules/terms/told-terms';
import { recordSession } from '../events/recorded-facts';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sessionId: string;
beforeEach(async () => {
  database = await createTestDatabase();
  sessionId = await recordSession(database.db);
});
afterEach(() => database.drop());

const [instanceId, projectId] = [randomUUID(), randomUUID()];
const listed = (terms?: ToldTerms, state = 'Running') => [
  { instanceId, instanceName: 'web-1', projectId, host: 'a', state, ...(terms && { terms }) },
];

const scopeNow = async () => ({
  ...{ sessionId, hostnames: new Set(['a']), unknownHosts: new Set<string>() },
  takenAt: await databaseNow(database.db),
});
const look = async (terms?: ToldTerms): Promise<void> =>
  recordSeenInstances(database.db, await scopeNow(), listed(terms));

const answerTo = async (state: string, told: ReadonlyMap<string, Terms> = new Map()) => {
  const messageId = randomUUID();
  const question = { sessionId, projectId, state, instanceIds: [instanceId], allowedActions: ['EVICTION' as const] };
  const asking = { id: sessionId, ownerHours: null, toldOfProjects: toldOfProjects(told) };
  const answers = await findAnswersByTerms(database.db, asking, [{ ...question, messageId, windowSeconds: 60 }]);
  return answers.get(messageId);
};

const yes: Terms = { ask: 'never', answers: { PLANNED_MAINTENANCE: 'ACK' } };
const evict: Terms = { answers: { PLANNED_MAINTENANCE: { action: 'EVICTION' } } };

it('answer a question about an instance, the workload before its namespace and that before the stored ones', async () => {
  await storeProjectTerms(database.db, idOf(projectId), { ask: 'always', answers: { PLANNED_MAINTENANCE: 'ACK' } });
  await look();
  expect(await answerTo('PLANNED_MAINTENANCE')).toMatchObject({ answer: 'ACK', actions: {}, atOnce: false });
  await look({ ofProject: yes });
  expect(await answerTo('PLANNED_MAINTENANCE')).toMatchObject({ answer: 'ACK', actions: {}, atOnce: true });
  await look({ ofInstance: evict, ofProject: yes });
  expect(await answerTo('PLANNED_MAINTENANCE')).toMatchObject({ actions: { [instanceId]: 'EVICTION' }, atOnce: true });
  await look();
  expect(await answerTo('PLANNED_MAINTENANCE')).toMatchObject({ actions: {}, atOnce: false });
});

it('answer a question to a whole project only where they are told of it', async () => {
  const told: Terms = { ask: 'never', answers: { SCALE_IN: 'NACK' } };
  await look({ ofInstance: told });
  expect(await answerTo('SCALE_IN')).toBeUndefined();
  expect(await answerTo('SCALE_IN', new Map([[projectId, told]]))).toMatchObject({ answer: 'NACK', atOnce: true });
});

it('are written only when they differ', async () => {
  const told = { ofInstance: evict, ofProject: yes };
  await look(told);
  const again = { ofProject: { ...yes }, ofInstance: { ...evict } };
  expect(await unseenChanges(database.db, await scopeNow(), listed(again))).toMatchObject({ added: [], changed: [] });
  expect((await unseenChanges(database.db, await scopeNow(), listed({ ofProject: yes }))).changed).toHaveLength(1);
});
