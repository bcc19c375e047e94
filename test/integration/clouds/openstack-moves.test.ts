/**
 * The requests to Nova for a claim, and the requests that are not repeated, whichever process died in between. Nova is
 * in memory here; test/openstack shows the moves of a real one.
 */
import { randomUUID } from 'node:crypto';
import { BlockedRefusal, CloudRefusal, type MoveRequest, TargetRefusal } from '../../../clouds/cloud-driver';
import { ServiceError } from '../../../clouds/openstack/http/service-error';
import { startMove } from '../../../clouds/openstack/moves/begin-move';
import { findImmovable } from '../../../clouds/openstack/moves/immovable';
import { createKeptProgress } from '../../../clouds/openstack/moves/kept-progress';
import { watchLeftOvers } from '../../../clouds/openstack/moves/left-over-moves';
import { createLookAtMoving } from '../../../clouds/openstack/moves/look-at-moving';
import { logPosting } from '../../../clouds/openstack/moves/move-log';
import type { Mover } from '../../../clouds/openstack/moves/mover';
import { watchMove } from '../../../clouds/openstack/moves/watch-move';
import type { ListedAction, NovaServer } from '../../../clouds/openstack/nova/answers';
import type { NovaApi, ServerAction } from '../../../clouds/openstack/nova/nova-api';
import { inTransaction } from '../../../prisma/database';
import { forgetRefusals } from '../../../prisma/moves/target-refusals';
import { keyOf } from '../../../rules/cloud/id';
import { anInstanceOn, grantMove } from '../activities/moves/granted-move';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const projectId = '0a4d1e7c5d0b4b529a3e7061726c6579';
const ourUserId = 'parley';

/** Nova lists a live migration by another name than it is asked for by. */
const nameInList: Readonly<Record<string, string>> = { 'os-migrateLive': 'live-migration' };

/** A Nova with one server, which begins every move that it is asked for, and does not end it. */
const aNova = (serverId: string, host: string) => {
  const actions: ListedAction[] = [];
  const idle: NovaServer = {
    ...{ id: serverId, name: 'web', tenant_id: projectId, status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': host },
    flavor: { original_name: 'small', vcpus: 1, ram: 512 },
  };
  const moving = { ...idle, 'OS-EXT-STS:task_state': 'migrating' };
  let isAnswerLost = false;
  let refusal: string | undefined;
  let task: string | undefined;
  let arrived: NovaServer | undefined;
  let failure: string | undefined;
  const resting = () => (task === undefined ? idle : { ...idle, 'OS-EXT-STS:task_state': task });
  const nova = {
    findServer() {
      const isMoving = actions.length > 0 && failure === undefined;
      return Promise.resolve({ server: arrived ?? (isMoving ? moving : resting()), at: new Date() });
    },
    findAction: () => Promise.resolve({ events: [{ event: 'a_check', result: 'Error', details: failure }] }),
    listMigrations: () => Promise.resolve([]),
    listActions: () => Promise.resolve(actions.toReversed()),
    act(_serverId: string, body: ServerAction) {
      if (refusal !== undefined) return Promise.reject(new ServiceError(refusal, 400, refusal));
      const request_id = `req-${randomUUID()}`;
      const start_time = new Date().toISOString().replace('Z', '');
      const [asked = ''] = Object.keys(body);
      if (asked === 'confirmResize' && arrived !== undefined) arrived = { ...arrived, status: 'ACTIVE' };
      actions.push({ action: nameInList[asked] ?? asked, request_id, user_id: ourUserId, start_time });
      return isAnswerLost ? Promise.reject(new Error('the connection broke off')) : Promise.resolve(request_id);
    },
  };
  const loseAnswers = () => {
    isAnswerLost = true;
  };
  const refuse = (words: string) => {
    refusal = words;
  };
  /** It gives up the move that it has begun. */
  const failBecause = (words: string) => {
    failure = words;
  };
  const beBusy = (because: string) => {
    task = because;
  };
  /** A cold move waits there for its confirmation. */
  const arrive = (target: string) => {
    arrived = { ...idle, status: 'VERIFY_RESIZE', 'OS-EXT-SRV-ATTR:host': target };
  };
  const shelve = () => {
    arrived = { ...idle, status: 'SHELVED_OFFLOADED', 'OS-EXT-SRV-ATTR:host': null };
  };
  // The services that moves need.
  return { nova: nova as unknown as NovaApi, actions, loseAnswers, refuse, failBecause, beBusy, arrive, shelve };
};

const aMoveOn = (source = 'compute-1') => {
  const { db } = database;
  const instanceId = randomUUID();
  const { nova, ...controls } = aNova(instanceId, source);
  const checkWay = () => Promise.resolve(undefined);
  const mover: Mover = {
    db,
    nova,
    lookAtMoving: createLookAtMoving(nova),
    progress: createKeptProgress(),
    userId: () => Promise.resolve(ourUserId),
    checkWay,
    noHostSeconds: 0,
    movesPerHost: 1,
  };
  const ways = { action: 'LIVE_MIGRATE', source, target: 'compute-2' } as const;
  const request: MoveRequest = { claimId: randomUUID(), instanceId, ...ways };
  const logged = () =>
    db.openstackMove.findUniqueOrThrow({
      where: { claimId_forced: { claimId: request.claimId, forced: false } },
    });
  return { mover, request, logged, ...controls };
};

it('starting a move again attaches to the one that Nova carries out', async () => {
  const { mover, request, actions, logged } = aMoveOn();
  await startMove(mover, request);
  expect(await startMove(mover, request)).toEqual({ kind: 'running' });
  expect(actions).toHaveLength(1);
  expect(await logged()).toMatchObject({ status: 'running', requestId: actions[0]?.request_id });
});

it('a move that Nova took without being heard is found among its actions, not asked for again', async () => {
  const { mover, request, actions, loseAnswers, logged } = aMoveOn();
  loseAnswers();
  await expect(startMove(mover, request)).rejects.toThrow('the connection broke off');
  expect(await startMove(mover, request)).toEqual({ kind: 'running' });
  expect(actions).toHaveLength(1);
  expect(await logged()).toMatchObject({ status: 'running', requestId: actions[0]?.request_id });
});

describe('a move whose starter died before it asked Nova', () => {
  const logAsDead = async ({ mover: { db }, request }: ReturnType<typeof aMoveOn>): Promise<void> => {
    const novaTime = new Date();
    await logPosting(db, { ...request, forced: false, instanceName: 'web', novaTime, knownRequests: [] }, 1);
    await db.openstackMove.updateMany({ data: { postingUntil: new Date(Date.now() - 1_000) } });
  };

  it('is asked for by whoever starts it next', async () => {
    const move = aMoveOn();
    await logAsDead(move);
    expect(await startMove(move.mover, move.request)).toEqual({ kind: 'running' });
    expect(move.actions).toHaveLength(1);
  });

  it('is unknown to whoever looks', async () => {
    const move = aMoveOn();
    await logAsDead(move);
    expect(await watchMove(move.mover, await move.logged())).toEqual({ kind: 'unknown' });
    expect(move.actions).toHaveLength(0);
  });
});

describe('a move whose hosts have as many in flight as they may', () => {
  it.each([
    { movesPerHost: 1, source: 'compute-1', target: 'compute-9', kind: 'later', because: 'the same source' },
    { movesPerHost: 1, source: 'compute-9', target: 'compute-2', kind: 'later', because: 'the same target' },
    { movesPerHost: 1, source: 'compute-2', target: 'compute-9', kind: 'later', because: 'a source that is a target' },
    { movesPerHost: 1, source: 'compute-8', target: 'compute-9', kind: 'running', because: 'other hosts' },
    { movesPerHost: 2, source: 'compute-1', target: 'compute-2', kind: 'running', because: 'a higher bound' },
    { movesPerHost: 0, source: 'compute-1', target: 'compute-2', kind: 'running', because: 'no bound' },
  ])('is $kind with $because', async ({ movesPerHost, source, target, kind }) => {
    const first = aMoveOn();
    await startMove(first.mover, first.request);
    const { mover, request, actions } = aMoveOn(source);
    const status = await startMove({ ...mover, movesPerHost }, { ...request, source, target });
    expect(status.kind).toBe(kind);
    expect(actions).toHaveLength(kind === 'later' ? 0 : 1);
  });

  it('begins when a slot is free', async () => {
    const [first, second] = [aMoveOn(), aMoveOn()];
    await startMove(first.mover, first.request);
    expect(await startMove(second.mover, second.request)).toEqual({
      kind: 'later',
      waitsFor: 'hosts',
      because: '1 of at most 1 moves from or to host compute-1 are in flight',
    });
    await first.mover.db.openstackMove.updateMany({ data: { status: 'done' } });
    expect(await startMove(second.mover, second.request)).toEqual({ kind: 'running' });
  });
});

describe('a server that Nova is busy with', () => {
  it('is moved later, and nothing is logged or asked', async () => {
    const { mover, request, actions, beBusy } = aMoveOn();
    beBusy('image_backup');
    const because = expect.stringMatching(/Nova is busy with .*web.* \(image_backup\)/) as string;
    expect(await startMove(mover, request)).toEqual({ kind: 'later', waitsFor: 'instance', because });
    expect(actions).toHaveLength(0);
    expect(await mover.db.openstackMove.count()).toBe(0);
  });

  it('is moved later where Nova says so only when it is asked', async () => {
    const { mover, request, refuse } = aMoveOn();
    refuse("Cannot 'os-migrateLive' instance while it is in task_state image_snapshot");
    expect(await startMove(mover, request)).toMatchObject({ kind: 'later', waitsFor: 'instance' });
  });
});

describe('a move that Nova accepts and gives up', () => {
  it.each([
    { words: 'Cannot migrate instance while it is in task_state image_backup', end: { kind: 'refused' } },
    { words: "CPU doesn't have compatibility", end: { kind: 'refused' } },
    { words: 'Instance is locked: Instance x is locked', end: { kind: 'failed', isBlocked: true } },
    { words: 'compute-1 is not on shared storage', end: { kind: 'failed' } },
  ])('because "$words" is $end.kind', async ({ words, end }) => {
    const { mover, request, failBecause, logged } = aMoveOn();
    await startMove(mover, request);
    failBecause(words);
    expect(await watchMove(mover, await logged())).toMatchObject({
      ...end,
      reason: expect.stringContaining(words) as string,
    });
  });
});

it('an own action is over when its project has taken the server off every host', async () => {
  const { mover, request, logged, shelve } = aMoveOn();
  expect(await startMove(mover, { ...request, action: 'OWN_ACTION' })).toEqual({ kind: 'running' });
  expect(await watchMove(mover, await logged())).toEqual({ kind: 'running' });
  shelve();
  expect(await watchMove(mover, await logged())).toEqual({ kind: 'gone' });
});

describe('a cold move whose session is over', () => {
  it('is confirmed and told once when it is found, and once when it has ended', async () => {
    const { mover, request, arrive, actions, logged } = aMoveOn();
    await startMove(mover, { ...request, action: 'MIGRATE' });
    const { claimId } = request;
    expect(await watchLeftOvers(mover)).toEqual([
      { claimId, words: expect.stringMatching(/^left over: MIGRATE .* goes on/) as string },
    ]);
    expect(await watchLeftOvers(mover)).toEqual([]);
    arrive('compute-2');
    expect(await watchLeftOvers(mover)).toEqual([]);
    expect(actions.at(-1)?.action).toBe('confirmResize');
    expect(await watchLeftOvers(mover)).toEqual([
      { claimId, words: expect.stringContaining('has arrived on compute-2') as string, host: 'compute-2' },
    ]);
    expect(await logged()).toMatchObject({ status: 'done', landedOn: 'compute-2' });
    expect(await watchLeftOvers(mover)).toEqual([]);
  });

  it('is not confirmed in place of a later resize of somebody else', async () => {
    const { mover, request, arrive, actions } = aMoveOn();
    await startMove(mover, { ...request, action: 'MIGRATE' });
    arrive('compute-7');
    actions.push({ action: 'resize', request_id: 'req-other', user_id: 'owner', start_time: '2999-01-01T00:00:00' });
    expect(await watchLeftOvers(mover)).toMatchObject([
      { words: expect.stringContaining('somebody else has moved the server since') as string },
    ]);
    expect(actions.at(-1)?.action).toBe('resize');
  });

  it('is left to its session as long as that watches it', async () => {
    const { mover, request } = aMoveOn();
    const { claim } = await grantMove(mover.db, { ...anInstanceOn('compute-1'), instanceId: request.instanceId });
    await mover.db.claim.updateMany({ data: { phase: 'moving' } });
    await startMove(mover, { ...request, claimId: claim.id, action: 'MIGRATE' });
    expect(await watchLeftOvers(mover)).toEqual([]);
  });
});

describe('a refusal at once', () => {
  const accelerated = 'Feature not supported with instances that have accelerators.';

  it.each([
    { words: accelerated, kind: BlockedRefusal },
    { words: 'Compute host compute-2 could not be found.', kind: TargetRefusal },
    { words: 'a reason that is in no table', kind: CloudRefusal },
  ])('$words', async ({ words, kind }) => {
    const { mover, request, refuse } = aMoveOn();
    refuse(words);
    const error: unknown = await startMove(mover, request).catch((thrown: unknown) => thrown);
    expect((error as Error).constructor).toBe(kind);
    expect((error as Error).message).toContain(words);
  });

  it('of a server that Nova moves in no way is remembered until its session is resumed or deleted', async () => {
    const { mover, request, refuse } = aMoveOn();
    refuse(accelerated);
    await startMove(mover, request).catch(() => undefined);
    const remembered = () => findImmovable(mover.db);
    expect(await remembered()).toEqual(new Map([[keyOf(request.instanceId), `Nova said: ${accelerated}`]]));
    const { claim } = await grantMove(mover.db, { ...anInstanceOn('compute-1'), instanceId: request.instanceId });
    await inTransaction(mover.db, (tx) => forgetRefusals(tx, claim.sessionId));
    expect(await remembered()).toEqual(new Map());
  });
});
