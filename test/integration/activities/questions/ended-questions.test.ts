/** The log lines about questions that end without an answer. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import * as ends from '../../../../activities/questions/end-questions';
import { inTransaction, type Transaction } from '../../../../prisma/database';
import { simulatedActions } from '../../../../rules/simulation/simulated-actions';
import { recordSession } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

type End = (services: Parameters<typeof ends.closeUnanswered>[0], tx: Transaction, asked: Asked) => Promise<void>;

interface Asked {
  readonly sessionId: string;
  readonly id: string;
}

/** An open question about the host a. @returns the lines of the log, and the question's row */
const endedBy = async (end: End) => {
  const { db } = database;
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const sessionId = await recordSession(db);
  const asked = { sessionId, projectId: randomUUID(), state: 'PLANNED_MAINTENANCE', hostname: 'a' };
  const { id } = await db.question.create({
    data: { ...asked, messageId: randomUUID(), instanceIds: [randomUUID()], allowedActions: [], windowSeconds: 60 },
  });
  const endIt = () =>
    inTransaction(db, (tx) => end({ logger, cloud: { actions: simulatedActions } }, tx, { sessionId, id }));
  await endIt();
  await endIt();
  const told = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return { asked, told, row: await db.question.findUniqueOrThrow({ where: { id } }) };
};

it.each<{ situation: string; end: End; status: string; msg: string }>([
  {
    situation: 'its time has passed',
    end: (services, tx, { id }) => ends.closeUnanswered(services, tx, [id]),
    status: 'closed',
    msg: 'question closed without an answer',
  },
  {
    situation: 'its instances have gone',
    end: (services, tx, { id }) => ends.closeUnneeded(services, tx, [id]),
    status: 'unneeded',
    msg: 'question not needed any more',
  },
  {
    situation: 'its host is empty and is to be maintained',
    end: (services, tx, { sessionId }) => ends.goOnFromHost(services, tx, { sessionId, hostname: 'a' }),
    status: 'unneeded',
    msg: 'question not needed any more',
  },
  {
    situation: 'its host is given back',
    end: (services, tx, { sessionId }) => ends.withdrawQuestions(services, tx, { sessionId, hostname: 'a' }),
    status: 'closed',
    msg: 'question withdrawn',
  },
  {
    situation: 'its session stops',
    end: (services, tx, { sessionId }) => ends.withdrawQuestions(services, tx, { sessionId }),
    status: 'closed',
    msg: 'question withdrawn',
  },
  {
    situation: 'its session enters another state',
    end: (services, tx, { sessionId }) => ends.goOnInState(services, tx, { sessionId, state: 'MAINTENANCE_COMPLETE' }),
    status: 'closed',
    msg: 'question withdrawn',
  },
])('is told once: $msg, where $situation', async ({ end, status, msg }) => {
  const { asked, told, row } = await endedBy(end);
  const { hostname: host, sessionId, projectId, state } = asked;
  expect(told).toMatchObject([{ msg, sessionId, projectId, state, host, instances: 1 }]);
  expect(told).toHaveLength(1);
  expect(row).toMatchObject({ status, closedAt: expect.any(Date) as unknown });
});

it.each<{ situation: string; end: End }>([
  {
    situation: 'another host is given back',
    end: (services, tx, { sessionId }) => ends.withdrawQuestions(services, tx, { sessionId, hostname: 'b' }),
  },
  {
    situation: 'a claim that is not its own ends',
    end: (services, tx, { sessionId }) => ends.withdrawQuestions(services, tx, { sessionId, claimId: randomUUID() }),
  },
  {
    situation: 'its session enters its state',
    end: (services, tx, { sessionId }) => ends.goOnInState(services, tx, { sessionId, state: 'PLANNED_MAINTENANCE' }),
  },
])('stays open where $situation', async ({ end }) => {
  const { told, row } = await endedBy(end);
  expect([told, row.status]).toEqual([[], 'open']);
});
