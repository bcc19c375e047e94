/** An action whose cloud says that it may begin later. */
import { pino } from 'pino';
import { carryOutGranted } from '../../../../activities/moves/action-activities';
import type { Services } from '../../../../activities/services';
import type { CloudDriver, LaterMove, MoveStatus } from '../../../../clouds/cloud-driver';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { runAs } from '../session/recorded-run';
import { aCloudWith, anInstanceOn, grantMove, startLimits } from './granted-move';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const busy: LaterMove = { kind: 'later', waitsFor: 'instance', because: 'Nova is busy with it (image_backup)' };
const full: LaterMove = { kind: 'later', waitsFor: 'hosts', because: 'host a has as many moves as it may' };
const done = { kind: 'done', host: 'b' } as const;

/** An action that begins an hour after it was granted, in a cloud that answers so. */
const carryOut = async (
  driver: Partial<CloudDriver>,
  { projectReplySeconds = 600 }: { readonly projectReplySeconds?: number } = {},
) => {
  const { db } = database;
  const instance = anInstanceOn('a');
  const startedAt = new Date(Date.now() - 3_600_000);
  const given = { startedAt, limitSeconds: 60, recoveryTime: 60 };
  const { beginner } = await grantMove(db, instance, given);
  const pollPace = { leastMs: 5, mostMs: 5, shareOfElapsed: 1 };
  const cloud = aCloudWith(db, { instance }, { pollPace, ...driver });
  const workflowCalls = { wakeSession: () => Promise.resolve() };
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(line) });
  const limits = { ...startLimits, projectReplySeconds };
  const services = { db, cloud, workflowCalls, drafts, limits, logger, measures: noMeasures } as unknown as Services;
  const { claimId, sessionId, hostname, runId } = beginner;
  const result = await runAs({ workflowId: 'host', runId }, () =>
    carryOutGranted(services, { claimId, sessionId, hostname }),
  );
  const claim = await db.claim.findUniqueOrThrow({ where: { id: claimId } });
  return { result, claim, startedAt, log: lines.join('') };
};

const answers = (...statuses: MoveStatus[]) => {
  const left = [...statuses];
  return () => Promise.resolve(left.length > 1 ? left.shift()! : left[0]!);
};

it.each([{ later: busy }, { later: full }])(
  'waits, and its limit counts from its beginning: $later.because',
  async ({ later }) => {
    const startMove = answers(later, later, { kind: 'running' });
    const { result, claim, startedAt } = await carryOut({ startMove, observeMove: answers({ kind: 'running' }, done) });
    expect(result).toBe('over');
    expect(claim).toMatchObject({ outcome: 'done', forcedAt: null });
    expect(claim.startedAt!.getTime()).toBeGreaterThan(startedAt.getTime() + 3_000_000);
  },
);

it('whose instance stays busy for longer than its project has for a reply is planned again, and never forced', async () => {
  const { result, claim } = await carryOut({ startMove: answers(busy) }, { projectReplySeconds: 0 });
  expect(result).toBe('over');
  const failure = `not begun: ${busy.because}`;
  expect(claim).toMatchObject({ outcome: 'dropped', phase: 'closed', forcedAt: null, failure });
});

it.each(['pausedAt', 'abortRequestedAt'] as const)(
  'is planned again when its session may not begin it (%s)',
  async (at) => {
    const stop = () => database.db.session.updateMany({ data: { [at]: new Date() } });
    const startMove = async () => {
      await stop();
      return full;
    };
    const { claim } = await carryOut({ startMove });
    expect(claim).toMatchObject({ outcome: 'dropped', forcedAt: null });
  },
);

it('may take as long as it makes progress', async () => {
  const progressing = (): MoveStatus => ({ kind: 'running', progressAt: new Date() });
  const observeMove = answers(progressing(), progressing(), done);
  const { claim } = await carryOut({ startMove: answers(progressing()), observeMove });
  expect(claim).toMatchObject({ outcome: 'done', forcedAt: null });
});

it('is forced when its limit has passed without progress, and tells how far it came', async () => {
  const stuck: MoveStatus = { kind: 'running', progress: '7 of 8 MB are left to copy' };
  const { result, claim, log } = await carryOut({ startMove: answers(stuck), observeMove: answers(stuck) });
  expect(result).toBe('fallBack');
  expect(claim.forcedAt).not.toBeNull();
  expect(log).toContain('LIVE_MIGRATE did not end within its limit: 7 of 8 MB are left to copy');
});
