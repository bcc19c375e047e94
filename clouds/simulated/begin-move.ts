/** Begins, forces and aborts moves in the simulated cloud, always inside `changeCloud`. */
import type { Transaction } from '../../prisma/database';
import { keyOf } from '../../rules/cloud/id';
import { needsOf, offersOf, simulatedWhyNot } from '../../rules/simulation/simulated-classes';
import { CloudRefusal, type MoveRequest, type MoveStatus, TargetRefusal } from '../cloud-driver';
import { capacityLeft, fits, neededAndLeft, type Size, sizeOf } from './capacity';
import { findHeldTogether } from './held-together';
import { abortLoggedMove, describeMove, loggedMoveStatus, logMove, newestMoveOf, runningMoveOf } from './move-log';
import { cannotMoveIn } from './states';

/** The present time and the speed: `speed` is simulated seconds per real second. */
export interface CloudClock {
  readonly now: Date;
  readonly speed: number;
}

export interface MovedInstance extends Size {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly host: string;
  readonly state: string;
  readonly groupId: string | null;
  readonly moveS: number;
  readonly failMoves: number;
  readonly actsItself: boolean;
  readonly refusedBy: readonly string[];
  /** Labels that a host must have to hold it. */
  readonly needs: readonly string[];
}

/** The end of an own action that its project never carries out. */
const neverEnds = new Date('9999-12-31T00:00:00Z');

const named = (instance: MovedInstance): string => `instance ${instance.instanceName} (${instance.instanceId})`;

const findInstance = async (tx: Transaction, instanceId: string): Promise<MovedInstance | undefined> => {
  const found = await tx.simInstance.findUnique({ where: { instanceKey: keyOf(instanceId) } });
  return found ? { ...found, ...sizeOf(found) } : undefined;
};

const notFound = (instanceId: string): CloudRefusal => new CloudRefusal(`Instance ${instanceId} could not be found.`);

const refuseWhileMoving = async (tx: Transaction, instance: MovedInstance): Promise<void> => {
  const other = await runningMoveOf(tx, instance.instanceId);
  if (other === undefined) return;
  throw new CloudRefusal(`Cannot move ${named(instance)} while it is being moved: ${describeMove(other)} is running.`);
};

/** An incoming move that uses capacity there may never arrive. */
const untilMovesAreOverSeconds = 10;

interface Refusing {
  readonly target: string;
  readonly cannot: string;
}

/** The cloud itself keeps the members of a group apart: those on the host, and those on their way to it. */
const refuseCrowding = async (
  tx: Transaction,
  { groupId, instanceId }: MovedInstance,
  { target, cannot }: Refusing,
): Promise<void> => {
  const group = groupId === null ? null : await tx.simGroup.findUnique({ where: { groupKey: keyOf(groupId) } });
  if (!group?.antiAffinity) return;
  const [{ members } = { members: 0 }] = await tx.$queryRaw<{ members: number }[]>`
    SELECT count(*)::int AS members FROM sim_instance AS member
    WHERE group_key = ${keyOf(group.groupId)} AND instance_key <> ${keyOf(instanceId)}
      AND (host = ${target} OR EXISTS (SELECT 1 FROM sim_move AS move
        WHERE move.instance_key = member.instance_key AND move.status = 'running' AND move.action <> 'OWN_ACTION'
          AND move.target = ${target}))`;
  if (members < group.maxInstancesPerHost) return;
  const name = group.name ?? group.groupId;
  throw new TargetRefusal(
    `${cannot} it holds as many members of group ${name} as may share a host.`,
    untilMovesAreOverSeconds,
  );
};

interface HostState {
  readonly isDown: boolean;
  readonly keepsAway: readonly string[];
  readonly disabled: boolean;
  readonly disabledReason: string | null;
}

/** The reason why the host takes no instance, in words that follow `it`. */
const whyClosed = ({ isDown, keepsAway, disabled, disabledReason }: HostState): string | undefined => {
  if (isDown) return 'is down';
  if (keepsAway.length > 0) return `keeps instances away by ${keepsAway.join(', ')}`;
  return disabled ? `is disabled (${disabledReason ?? 'no reason given'})` : undefined;
};

/** @throws TargetRefusal when another host may be accepted */
export const refuseTarget = async (tx: Transaction, instance: MovedInstance, target: string): Promise<void> => {
  const cannot = `Cannot move ${named(instance)} to host ${target}:`;
  const host = await tx.simHost.findUnique({ where: { name: target } });
  if (host === null) throw new CloudRefusal(`${cannot} compute host ${target} could not be found.`);
  if (!host.isCompute) throw new CloudRefusal(`${cannot} it is no compute host.`);
  if (instance.host === target) throw new CloudRefusal(`${cannot} the instance is there already.`);
  const closed = whyClosed(host);
  if (closed !== undefined) throw new TargetRefusal(`${cannot} it ${closed}.`);
  if (instance.refusedBy.includes(target))
    throw new TargetRefusal(`${cannot} the simulated cloud was told to refuse it.`);
  const lacks = simulatedWhyNot(needsOf(instance), offersOf(host));
  if (lacks !== undefined) throw new TargetRefusal(`${cannot} it lacks ${lacks}.`);
  await refuseCrowding(tx, instance, { target, cannot });
  const free = await capacityLeft(tx, host);
  if (fits(instance, free)) return;
  throw new TargetRefusal(`${cannot} no capacity; ${neededAndLeft(instance, free)}.`, untilMovesAreOverSeconds);
};

const refuseParting = async (tx: Transaction, instance: MovedInstance): Promise<void> => {
  const reason = (await findHeldTogether(tx, instance.instanceId)).get(instance.instanceId);
  if (reason !== undefined) throw new CloudRefusal(`Cannot move ${named(instance)}: ${reason}.`);
};

const refuseFromDownHost = async (tx: Transaction, instance: MovedInstance): Promise<void> => {
  const host = await tx.simHost.findUnique({ where: { name: instance.host } });
  if (host?.isDown === true) throw new CloudRefusal(`Cannot move ${named(instance)}: host ${instance.host} is down.`);
};

const refuseInState = (instance: MovedInstance): void => {
  if (cannotMoveIn(instance.state) === undefined) return;
  throw new CloudRefusal(`Cannot move ${named(instance)} while it is in state ${instance.state}.`);
};

/** A move takes the instance's `move_s`. A move that fails does so half-way. */
const endOf = (instance: MovedInstance, action: MoveRequest['action'], { now, speed }: CloudClock): Date => {
  if (action === 'OWN_ACTION' && !instance.actsItself) return neverEnds;
  const wholeMs = (instance.moveS * 1000) / speed;
  return new Date(now.getTime() + Math.ceil(instance.failMoves > 0 ? wholeMs / 2 : wholeMs));
};

interface SimulatedMoveToBegin extends MoveRequest {
  readonly forced: boolean;
}

const begin = async (tx: Transaction, request: SimulatedMoveToBegin, pace: CloudClock): Promise<MoveStatus> => {
  const instance = await findInstance(tx, request.instanceId);
  if (instance === undefined) throw notFound(request.instanceId);
  await refuseWhileMoving(tx, instance);
  // A project makes its replacement on any host with capacity, and may have made it already.
  if (request.action !== 'OWN_ACTION') {
    await refuseFromDownHost(tx, instance);
    refuseInState(instance);
    await refuseParting(tx, instance);
    await refuseTarget(tx, instance, request.target);
  }
  await logMove(tx, {
    claimId: request.claimId,
    instanceId: instance.instanceId,
    action: request.action,
    source: instance.host, // where it really is: the caller's facts may be stale
    target: request.target,
    forced: request.forced,
    willFail: instance.failMoves > 0,
    startedAt: pace.now,
    endsAt: endOf(instance, request.action, pace),
  });
  return { kind: 'running' };
};

/** @throws CloudRefusal when the cloud refuses at once; nothing has changed then */
export const startMove = async (tx: Transaction, request: MoveRequest, pace: CloudClock): Promise<MoveStatus> => {
  const known = await newestMoveOf(tx, request.claimId);
  return known === undefined ? begin(tx, { ...request, forced: false }, pace) : loggedMoveStatus(known);
};

/**
 * Aborts the claim's move and begins a cold one, unless a move was forced already or the first one succeeded.
 * @throws CloudRefusal when the cold move cannot begin; the first move continues then
 */
export const forceMove = async (tx: Transaction, request: MoveRequest, pace: CloudClock): Promise<MoveStatus> => {
  const known = await newestMoveOf(tx, request.claimId);
  const cold = { ...request, action: 'MIGRATE', forced: true } as const;
  if (known === undefined) return begin(tx, cold, pace);
  if (known.forced || known.status === 'done' || known.status === 'gone') return loggedMoveStatus(known);
  if ((await findInstance(tx, request.instanceId)) === undefined) return { kind: 'gone' };
  await abortLoggedMove(tx, known, { now: pace.now, because: 'given up for a forced move' });
  return begin(tx, cold, pace);
};

/** Stops the claim's move; the instance stays on its source. */
export const abortMove = async (tx: Transaction, claimId: string, now: Date): Promise<MoveStatus> => {
  const running = await newestMoveOf(tx, claimId);
  if (running?.status === 'running') await abortLoggedMove(tx, running, { now, because: 'stopped on request' });
  const newest = await newestMoveOf(tx, claimId);
  return newest === undefined ? { kind: 'unknown' } : loggedMoveStatus(newest);
};
