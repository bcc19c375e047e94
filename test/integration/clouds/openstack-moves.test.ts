/**
 * The requests to Nova for a claim, and the requests that are not repeated, whichever process died in between. Nova is
 * in memory here; test/openstack shows the moves of a real one.
 */
import { randomUUID } from 'node:crypto';
import { BlockedRefusal, CloudRefusal, type MoveRequest, TargetRefusal } from '../../../clouds/cloud-driver';
import { ServiceError } from '../../../clouds/openstack/http/service-error';
import { startMove } from '../../../clouds/openstack/moves/begin-move';
import { findImmovable } from '../../../clouds/openstack/moves/immovable';
import { logPosting } from '../../../clouds/openstack/moves/move-log';
import type { Mover } from '../../../clouds/openstack/moves/mover';
import { watchMove } from '../../../clouds/openstack/moves/watch-move';
import type { ListedAction, NovaServer } from '../../../clouds/openstack/nova/answers';
import type { NovaApi } from '../../../clouds/openstack/nova/nova-api';
import { keyOf } from '../../../planning/fleet/id';
import { inTransaction } from '../../../prisma/database';
import { forgetRefusals } from '../../../prisma/moves/target-refusals';
import { anInstanceOn, grantMove } from '../activities/moves/granted-move';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const projectId = '0a4d1e7c5d0b4b529a3e7061726c6579';
const ourUserId = 'parley';

/** A Nova with one server, which begins every move that it is asked for, and does not end it. */
const aNova = (serverId: string) => {
  const actions: ListedAction[] = [];
  const idle: NovaServer = {
    ...{ id: serverId, name: 'web', tenant_id: projectId, status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'compute-1' },
    flavor: { original_name: 'small', vcpus: 1, ram: 512 },
  };
  const moving = { ...idle, 'OS-EXT-STS:task_state': 'migrating' };
  let isAnswerLost = false;
  let refusal: string | undefined;
  const nova = {
    findServer: () => Promise.resolve({ server: actions.length === 0 ? idle : moving, at: new Date() }),
    listActions: () => Promise.resolve(actions.toReversed()),
    act() {
      if (refusal !== undefined) return Promise.reject(new ServiceError(refusal, 400, refusal));
      const request_id = `req-${randomUUID()}`;
      const start_time = new Date().toISOString().replace('Z', '');
      actions.push({ action: 'live-migration', request_id, user_id: ourUserId, start_time });
      return isAnswerLost ? Promise.reject(new Error('the connection broke off')) : Promise.resolve(request_id);
    },
  };
  const loseAnswers = () => {
    isAnswerLost = true;
  };
  const refuse = (words: string) => {
    refusal = words;
  };
  // The services that moves need.
  return { nova: nova as unknown as NovaApi, actions, loseAnswers, refuse };
};

const aMoveOn = () => {
  const { db } = database;
  const instanceId = randomUUID();
  const { nova, actions, loseAnswers, refuse } = aNova(instanceId);
  const checkWay = () => Promise.resolve(undefined);
  const mover: Mover = { db, nova, userId: () => Promise.resolve(ourUserId), checkWay, noHostSeconds: 0 };
  const ways = { action: 'LIVE_MIGRATE', source: 'compute-1', target: 'compute-2' } as const;
  const request: MoveRequest = { claimId: randomUUID(), instanceId, ...ways };
  const logged = () =>
    db.openstackMove.findUniqueOrThrow({
      where: { claimId_forced: { claimId: request.claimId, forced: false } },
    });
  return { mover, request, actions, loseAnswers, refuse, logged };
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
    await logPosting(db, { ...request, forced: false, instanceName: 'web', novaTime });
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
