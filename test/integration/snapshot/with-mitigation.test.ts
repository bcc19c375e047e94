/** How an instance without a double allocation leaves its host, as the snapshot tells it from the records. */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../../prisma/database';
import { withMitigation } from '../../../snapshot/with-mitigation';
import { anInstance } from '../../builders/a-fleet';
import { aSessionHost } from '../../builders/a-session-host';
import { recordSession } from '../events/recorded-facts';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Leaving {
  readonly sessionId: string;
  readonly hostname: string;
  readonly instanceId: string;
  readonly projectId: string;
}

const answered = async (leaving: Leaving, instanceActions: Readonly<Record<string, string>>): Promise<void> => {
  const { instanceId, ...facts } = leaving;
  const question = { state: 'PLANNED_MAINTENANCE', instanceIds: [instanceId], allowedActions: ['OWN_ACTION'] };
  const answer = { status: 'answered', answer: 'ACK', answeredAt: new Date(), instanceActions };
  await database.db.question.create({
    data: { ...facts, ...question, ...answer, windowSeconds: 60, messageId: randomUUID() },
  });
};

const expired = async ({ hostname: source, ...facts }: Leaving): Promise<void> => {
  const instance = { instanceName: 'vm', amounts: { VCPU: 1, MEMORY_MB: 1024 }, groupKey: 'group', recoveryTime: 0 };
  const move = { source, target: '', action: 'OWN_ACTION', phase: 'closed', outcome: 'expired' };
  await database.db.claim.create({ data: { ...facts, ...instance, ...move } });
};

it.each([
  { situation: 'was not asked about', record: () => Promise.resolve(), settledAction: undefined },
  {
    situation: 'acts on itself',
    record: (leaving: Leaving) => answered(leaving, { [leaving.instanceId]: 'OWN_ACTION' }),
    settledAction: 'OWN_ACTION',
  },
  { situation: 'left to the service', record: (leaving: Leaving) => answered(leaving, {}), settledAction: 'MIGRATE' },
  { situation: 'has not acted on in time', record: expired, settledAction: 'MIGRATE' },
])('settles $settledAction for an instance that its project $situation', async ({ record, settledAction }) => {
  const sessionId = await recordSession(database.db);
  const leaving = { sessionId, hostname: 'a', instanceId: randomUUID(), projectId: randomUUID() };
  const { instanceId: id, projectId, hostname: host } = leaving;
  await record(leaving);
  const instance = anInstance({ id, projectId, host, migrationType: 'OWN_ACTION', defaultAction: 'MIGRATE' });
  const view = await inTransaction(database.db, (tx) =>
    withMitigation(tx, {
      instances: [instance],
      works: [aSessionHost({ sessionId, hostname: host })],
      mitigations: new Map([[id, false]]),
    }),
  );
  expect(view(instance)).toEqual({ ...instance, resourceMitigation: false, ...(settledAction && { settledAction }) });
});
