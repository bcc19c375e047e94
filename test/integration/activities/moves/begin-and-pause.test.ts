/**
 * An action that begins while its session is paused, aborted or deleted: one comes before the other, also by the
 * records.
 */
import { inTransaction, lockSession, lockSessionAndBeginnings } from '../../../../prisma/database';
import { recordActionStart } from '../../../../prisma/moves/claims';
import { recordRequest } from '../../../../prisma/session/session-requests';
import { requestDelete } from '../../../../prisma/session/sessions';
import { aGate } from '../../events/a-gate';
import { createTestDatabase } from '../../setup/test-database';
import { grantMove, untilAnybodyWaitsForALock } from './granted-move';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const requests = {
  pause: (sessionId: string) => recordRequest(database.db, { sessionId, request: 'pause' }),
  abort: (sessionId: string) => recordRequest(database.db, { sessionId, request: 'abort' }),
  delete: (sessionId: string) => requestDelete(database.db, sessionId),
} as const;

const terms = { recoveryTime: 0, limitSeconds: 60, limitByProject: false } as const;
const columns = { pause: 'pausedAt', abort: 'abortRequestedAt', delete: 'deleteRequestedAt' } as const;

describe.each(['pause', 'abort', 'delete'] as const)('%s', (what) => {
  it('waits for an action that is beginning, so that it comes later', async () => {
    const { beginner } = await grantMove(database.db);
    const [begun, mayCommit] = [aGate(), aGate()];
    const beginning = inTransaction(database.db, async (tx) => {
      const startedAt = await recordActionStart(tx, beginner, terms);
      begun.open();
      await mayCommit.passed;
      return startedAt!;
    });
    await begun.passed;
    const requested = requests[what](beginner.sessionId);
    await untilAnybodyWaitsForALock(database.db).finally(mayCommit.open);
    const startedAt = await beginning;
    await requested;
    const session = await database.db.session.findUniqueOrThrow({ where: { id: beginner.sessionId } });
    expect(session[columns[what]]!.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
  });

  it('is waited for by an action that would begin, which does not', async () => {
    const { beginner } = await grantMove(database.db);
    let beginning: Promise<Date | undefined> | undefined;
    await inTransaction(database.db, async (tx) => {
      await lockSessionAndBeginnings(tx, beginner.sessionId);
      beginning = recordActionStart(database.db, beginner, terms);
      await untilAnybodyWaitsForALock(database.db);
      await tx.session.update({ where: { id: beginner.sessionId }, data: { [columns[what]]: new Date() } });
    });
    expect(await beginning).toBeUndefined();
    expect((await database.db.claim.findUniqueOrThrow({ where: { id: beginner.claimId } })).startedAt).toBeNull();
  });
});

it('a decision about the session does not keep an action from beginning', async () => {
  const { beginner } = await grantMove(database.db);
  await inTransaction(database.db, async (tx) => {
    await lockSession(tx, beginner.sessionId);
    expect(await recordActionStart(database.db, beginner, terms)).toBeInstanceOf(Date);
  });
});
