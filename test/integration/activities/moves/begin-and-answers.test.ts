/** An answer that is changed while what the first one allowed begins: one comes before the other. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beginIfItMay } from '../../../../activities/moves/begin-action';
import { inTransaction, type Transaction } from '../../../../prisma/database';
import { recordActionEnd } from '../../../../prisma/moves/claim-end';
import { type ClaimRecord, findClaim } from '../../../../prisma/moves/claims';
import type { ReplyOutcome } from '../../../../prisma/questions/project-replies';
import { idOf } from '../../../../rules/cloud/id';
import type { Reply } from '../../../../rules/questions/reply';
import { recordReply } from '../../rig/record-reply';
import { createTestDatabase } from '../../setup/test-database';
import {
  aCloudWith,
  anInstanceOn,
  type GrantedMove,
  grantMove,
  startLimits,
  storeConstraints,
  untilAnybodyWaitsForALock,
} from './granted-move';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const instance = anInstanceOn('a');
const other = { ...anInstanceOn('a'), projectId: instance.projectId };
const { instanceId, projectId } = instance;
const longAgo = new Date('2026-01-01T12:00:00Z');

type About = 'instance' | 'host';

/** Accepted with the action of the claim, unless told otherwise. */
const ask = async ({ claim }: GrantedMove, about: About, fields: object = {}): Promise<void> => {
  const own = { instanceId, claimId: claim.id, instanceIds: [instanceId] };
  const wide = { hostname: 'a', instanceIds: [instanceId, other.instanceId] };
  await database.db.question.create({
    data: {
      ...{ sessionId: claim.sessionId, projectId, state: 'PLANNED_MAINTENANCE', messageId: randomUUID() },
      ...(about === 'host' ? wide : own),
      ...{ allowedActions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'], windowSeconds: 60, replyAt: longAgo },
      ...{ createdAt: longAgo, status: 'answered', answer: 'ACK', answeredAt: longAgo },
      instanceActions: { [instanceId]: claim.action },
      ...fields,
    },
  });
};

/** @param about whether the instance itself was asked about (`vnf`), or the host as a whole */
const grantAfterAnswer = async (about: About, given: Partial<ClaimRecord> = {}): Promise<GrantedMove> => {
  const granted = await grantMove(database.db, instance, { askedAt: about === 'host' ? null : longAgo, ...given });
  await database.db.session.updateMany({ data: { state: 'PLANNED_MAINTENANCE' } });
  await ask(granted, about);
  return granted;
};

const begin = ({ claim, beginner }: GrantedMove) =>
  beginIfItMay(
    {
      cloud: aCloudWith(database.db, { instance }),
      db: database.db,
      limits: startLimits,
      logger: pino({ level: 'silent' }),
    },
    claim,
    beginner,
  );

const reply = (
  { claim: { sessionId, askedAt } }: GrantedMove,
  answer: Reply['answer'],
  instanceActions: Reply['instanceActions'] = {},
): Promise<ReplyOutcome> => {
  const of = askedAt === null ? {} : { instanceId };
  const given = { state: 'PLANNED_MAINTENANCE', answer, instanceActions, ...of };
  return recordReply(database.db, { target: { sessionId, projectId: idOf(projectId) }, reply: given });
};

const claimOf = ({ claim: { id } }: GrantedMove) => database.db.claim.findUniqueOrThrow({ where: { id } });

const tooLate = { kind: 'refuse', code: 'ALREADY_BEGUN' };

describe.each(['instance', 'host'] as const)('asked about the %s', (about) => {
  it('a refusal takes back what was granted and has not begun', async () => {
    const granted = await grantAfterAnswer(about);
    expect(await reply(granted, 'NACK')).toMatchObject({ kind: 'taken' });
    expect(await begin(granted)).toEqual({ kind: 'refused' });
    const phase = about === 'instance' ? 'asked' : 'moving';
    expect(await claimOf(granted)).toMatchObject({ phase, startedAt: null });
  });

  it('accepted again before it begins, it begins', async () => {
    const granted = await grantAfterAnswer(about);
    await reply(granted, 'NACK');
    await reply(granted, 'ACK', { [instanceId]: 'LIVE_MIGRATE' });
    expect(await begin(granted)).toMatchObject({ kind: 'began', claim: { action: 'LIVE_MIGRATE' } });
  });

  it('a refusal after it has begun is refused, and names what began when', async () => {
    const granted = await grantAfterAnswer(about);
    expect(await begin(granted)).toMatchObject({ kind: 'began' });
    const startedAt = (await claimOf(granted)).startedAt?.toISOString() ?? '';
    const outcome = await reply(granted, 'NACK');
    expect(outcome).toMatchObject(tooLate);
    expect(JSON.stringify(outcome)).toContain(`LIVE_MIGRATE of instance vm (${instanceId}) began at ${startedAt}`);
    expect(await reply(granted, 'ACK', { [instanceId]: 'LIVE_MIGRATE' })).toMatchObject({ kind: 'taken' });
    expect(await database.db.question.findFirstOrThrow()).toMatchObject({ answer: 'ACK', answeredAt: longAgo });
  });

  it('a refusal counts after the target has refused the action', async () => {
    const granted = await grantAfterAnswer(about);
    await begin(granted);
    const begun = (await findClaim(database.db, granted.claim.id))!;
    await inTransaction(database.db, (tx) => recordActionEnd(tx, begun, { outcome: 'refused' }));
    expect(await reply(granted, 'NACK')).toMatchObject({ kind: 'taken' });
  });

  it('another answer waits for what is beginning, and comes too late', async () => {
    const granted = await grantAfterAnswer(about);
    const [beginning, outcome] = await startBehind(
      async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM claim FOR UPDATE`;
      },
      () => begin(granted),
      () => reply(granted, 'NACK'),
    );
    expect([beginning, outcome]).toMatchObject([{ kind: 'began' }, tooLate]);
  });

  it('a beginning waits for an answer that is being changed, and keeps to it', async () => {
    const granted = await grantAfterAnswer(about);
    const [outcome, beginning] = await startBehind(
      async (tx) => {
        // The row for which a reply and the beginning compete.
        await (about === 'host'
          ? tx.$queryRaw`SELECT 1 FROM question FOR UPDATE`
          : tx.$queryRaw`SELECT 1 FROM claim FOR UPDATE`);
      },
      () => reply(granted, 'NACK'),
      () => begin(granted),
    );
    expect([outcome, beginning]).toMatchObject([
      { kind: 'taken', hostname: about === 'host' ? 'a' : undefined },
      { kind: 'refused' },
    ]);
  });
});

/** Starts them one by one behind what is held, each when the one before waits. @returns what each returns */
const startBehind = async (
  hold: (tx: Transaction) => Promise<void>,
  ...starts: readonly (() => Promise<unknown>)[]
): Promise<readonly unknown[]> => {
  const started: Promise<unknown>[] = [];
  await inTransaction(database.db, async (tx) => {
    await hold(tx);
    for (const start of starts) {
      started.push(start());
      await untilAnybodyWaitsForALock(database.db, started.length);
    }
  });
  return Promise.all(started);
};

describe('asked about the instance', () => {
  it.each(['OWN_ACTION', 'LIVE_MIGRATE'] as const)(
    'another action takes the place of the granted %s, and is looked at anew',
    async (action) => {
      const granted = await grantAfterAnswer('instance', { action });
      await reply(granted, 'ACK', { [instanceId]: 'MIGRATE' });
      expect(await claimOf(granted)).toMatchObject({ phase: 'moving', action: 'MIGRATE', startedAt: null });
      expect(await begin(granted)).toEqual({ kind: 'otherAction' });
      const claim = (await findClaim(database.db, granted.claim.id))!;
      expect(await begin({ ...granted, claim })).toMatchObject({ kind: 'began', claim: { action: 'MIGRATE' } });
    },
  );

  it('an answer that settles the question lets the action of the claim begin', async () => {
    const granted = await grantAfterAnswer('instance', { phase: 'asked' });
    await database.db.question.updateMany({ data: { status: 'open', answer: null, answeredAt: null } });
    expect(await begin(granted)).toEqual({ kind: 'refused' });
    await reply(granted, 'ACK', { [instanceId]: 'LIVE_MIGRATE' });
    expect(await claimOf(granted)).toMatchObject({ phase: 'moving', action: 'LIVE_MIGRATE' });
    expect(await begin(granted)).toMatchObject({ kind: 'began', claim: { action: 'LIVE_MIGRATE' } });
  });

  it('an answer that chooses no action leads to the default by the present constraints', async () => {
    const granted = await grantAfterAnswer('instance', { phase: 'asked', action: 'OWN_ACTION' });
    await database.db.question.updateMany({ data: { status: 'open', answer: null, answeredAt: null } });
    await storeConstraints(database.db, instance);
    await reply(granted, 'ACK');
    expect(await claimOf(granted)).toMatchObject({ phase: 'moving', action: 'MIGRATE' });
  });

  it('an answer changes nothing about a claim that is over', async () => {
    const granted = await grantAfterAnswer('instance', { phase: 'closed', outcome: 'dropped' });
    await reply(granted, 'NACK');
    expect(await claimOf(granted)).toMatchObject({ phase: 'closed', action: 'LIVE_MIGRATE' });
  });
});

describe('asked about the host', () => {
  it('a refusal that is asked about again keeps the action from beginning', async () => {
    const granted = await grantAfterAnswer('host');
    await reply(granted, 'NACK');
    const unanswered = { status: 'open', answer: null, answeredAt: null, instanceActions: {} };
    await ask(granted, 'host', { ...unanswered, createdAt: new Date() });
    expect(await begin(granted)).toEqual({ kind: 'refused' });
  });

  it('another action is planned anew', async () => {
    const granted = await grantAfterAnswer('host');
    await reply(granted, 'ACK', { [instanceId]: 'MIGRATE' });
    expect(await begin(granted)).toEqual({ kind: 'otherAction' });
  });

  it('an action that has begun leaves the choice for another instance, and no other', async () => {
    const granted = await grantAfterAnswer('host');
    await begin(granted);
    const both = { [instanceId]: 'MIGRATE', [other.instanceId]: 'MIGRATE' };
    expect(await reply(granted, 'ACK', both)).toMatchObject(tooLate);
    expect(await database.db.question.findFirstOrThrow()).toMatchObject({
      instanceActions: { [instanceId]: 'LIVE_MIGRATE' },
    });
    const onlyOther = { [instanceId]: 'LIVE_MIGRATE', [other.instanceId]: 'MIGRATE' };
    expect(await reply(granted, 'ACK', onlyOther)).toMatchObject({ kind: 'taken' });
    expect(await database.db.question.findFirstOrThrow()).toMatchObject({ instanceActions: onlyOther });
  });
});
