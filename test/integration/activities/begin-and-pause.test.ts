/** An action that begins while its session is paused, aborted or deleted: one comes before the other, also by the records. */
import { randomUUID } from 'node:crypto';
import { type Beginner, recordActionStart } from '../../../prisma/claims';
import { inTransaction, lockSession, lockSessionAndBeginnings } from '../../../prisma/database';
import { recordRequest } from '../../../prisma/session-requests';
import { requestDelete } from '../../../prisma/sessions';
import { aGate } from '../events/a-gate';
import { recordSession } from '../events/recorded-facts';
import { until } from '../resume/resumed-session';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** A move that was granted and may begin. */
const aGrantedMove = async (): Promise<Beginner> => {
  const [sessionId, runId] = [await recordSession(database.db), randomUUID()];
  const host = { hostname: 'a', type: 'compute', isCompute: true };
  await database.db.sessionHost.create({ data: { ...host, sessionId, phase: 'emptying', runId } });
  const move = { source: 'a', target: 'b', action: 'MIGRATE', phase: 'moving', vcpus: 1, memoryMb: 1 };
  const instance = { instanceId: randomUUID(), instanceName: 'vm', projectId: randomUUID() };
  const claim = { ...move, ...instance, sessionId, groupKey: 'g', recoveryTime: 0 };
  const { id } = await database.db.claim.create({ data: claim });
  return { claimId: id, sessionId, hostname: 'a', runId };
};

const untilAnybodyWaitsForALock = (): Promise<true> =>
  until('somebody waits for a lock', 4_000, async () => {
    const rows = await database.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length > 0 || undefined;
  });

const requests = {
  pause: (sessionId: string) => recordRequest(database.db, { sessionId, request: 'pause' }),
  abort: (sessionId: string) => recordRequest(database.db, { sessionId, request: 'abort' }),
  delete: (sessionId: string) => requestDelete(database.db, sessionId),
} as const;

const columns = { pause: 'pausedAt', abort: 'abortRequestedAt', delete: 'deleteRequestedAt' } as const;

describe.each(['pause', 'abort', 'delete'] as const)('%s', (what) => {
  it('waits for an action that is beginning, so that it comes later', async () => {
    const move = await aGrantedMove();
    const [begun, mayCommit] = [aGate(), aGate()];
    const beginning = inTransaction(database.db, async (tx) => {
      const startedAt = await recordActionStart(tx, move);
      begun.open();
      await mayCommit.passed;
      return startedAt!;
    });
    await begun.passed;
    const requested = requests[what](move.sessionId);
    await untilAnybodyWaitsForALock().finally(mayCommit.open);
    const startedAt = await beginning;
    await requested;
    const session = await database.db.session.findUniqueOrThrow({ where: { id: move.sessionId } });
    expect(session[columns[what]]!.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
  });

  it('is waited for by an action that would begin, which does not', async () => {
    const move = await aGrantedMove();
    let beginning: Promise<Date | undefined> | undefined;
    await inTransaction(database.db, async (tx) => {
      await lockSessionAndBeginnings(tx, move.sessionId);
      beginning = recordActionStart(database.db, move);
      await untilAnybodyWaitsForALock();
      await tx.session.update({ where: { id: move.sessionId }, data: { [columns[what]]: new Date() } });
    });
    expect(await beginning).toBeUndefined();
    expect((await database.db.claim.findUniqueOrThrow({ where: { id: move.claimId } })).startedAt).toBeNull();
  });
});

it('a decision about the session does not keep an action from beginning', async () => {
  const move = await aGrantedMove();
  await inTransaction(database.db, async (tx) => {
    await lockSession(tx, move.sessionId);
    expect(await recordActionStart(database.db, move)).toBeInstanceOf(Date);
  });
});
