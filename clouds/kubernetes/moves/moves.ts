/**
 * Moves of the `kubernetes` cloud. A pod does not move: it is evicted, and its controller makes another one, with
 * another UID, where the scheduler finds room. So a move that came to its good end leaves the instance `gone`.
 */
import type { Database } from '../../../prisma/database';
import { isClaimOver } from '../../../prisma/moves/claims';
import type { EvictionDefaults } from '../../../rules/cloud/eviction';
import type { HostDoubt } from '../../../rules/cloud/host-findings';
import { BlockedRefusal, CloudRefusal, type MoveRequest, type MoveStatus } from '../../cloud-driver';
import type { KubernetesClient, ObjectName } from '../client/kubernetes-client';
import type { EventTeller } from '../hosts/events';
import { whyKept } from '../instances/kept-pods';
import { hasEnded, type Pod, uidOf } from '../objects/pods';
import type { Surger } from '../surge/surge';
import { deletePod, evict, type EvictionAnswer } from './evict';
import {
  describeMove,
  isOpen,
  logMove,
  moveStatus,
  newestMoveOf,
  openMoveOf,
  type PodMove,
  recordEnd,
  recordLeaving,
  recordRefusal,
  takeTry,
} from './move-log';

export interface PodMover {
  readonly db: Database;
  readonly client: KubernetesClient;
  /** The pod as it is now; undefined: there is none with this UID. Its name spares a look at all pods. */
  readonly findPod: (uid: string, name?: ObjectName) => Promise<Pod | undefined>;
  /** These options count where the session of a move says nothing. */
  readonly defaults: EvictionDefaults;
  /** Told what an eviction waits for. */
  readonly events: EventTeller;
  /** Who else is at work on the pod's node, which holds its eviction; undefined: nobody is. */
  readonly whyHeld: (uid: string) => Promise<Pick<HostDoubt, 'because' | 'mark'> | undefined>;
  /** Why the API server would let the pod go although its budget is used up already; undefined: it would not. */
  readonly whyBehind: (uid: string) => string | undefined;
  /** Makes room in the pod's budget, where its project asks for that. */
  readonly makeRoom: Surger['beforeEviction'];
}

/** Starts the claim's move, or attaches to the claim's present one. @throws CloudRefusal */
export const startMove = async (mover: PodMover, request: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, request.claimId);
  return known === undefined ? begin(mover, { ...request, forced: false }) : watchMove(mover, known);
};

export const observeMove = async (mover: PodMover, { claimId }: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, claimId);
  return known === undefined ? { kind: 'unknown' } : watchMove(mover, known);
};

/** Deletes the pod where that is allowed; else the move has failed. @throws CloudRefusal */
export const forceMove = async (mover: PodMover, request: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, request.claimId);
  if (known?.forced === true) return lookAt(mover, known);
  const status = known === undefined ? undefined : await lookAt(mover, known);
  if (known !== undefined && status?.kind === 'gone') return status;
  if (!mayDelete(mover, request)) return failUnforced(mover, known, request);
  if (known !== undefined && isOpen(known)) await giveUp(mover, known, 'given up for a deletion');
  return begin(mover, { ...request, forced: true });
};

const mayDelete = ({ defaults }: PodMover, { eviction }: MoveRequest): boolean =>
  (eviction?.forced ?? defaults.forced) === 'delete';

const failUnforced = async (
  { db }: PodMover,
  known: PodMove | undefined,
  { instanceId }: MoveRequest,
): Promise<MoveStatus> => {
  const notAllowed = 'it is not deleted past that unless the session says so (eviction.forced)';
  if (known === undefined) return { kind: 'failed', reason: `instance ${instanceId} was not evicted; ${notAllowed}` };
  const before = known.failure ?? known.refusal ?? 'it did not end in time';
  const reason = `${describeMove(known)} did not come to its end: ${before}; ${notAllowed}`;
  const isRefusedStill = known.status === 'trying' && known.refusal !== null;
  return recordEnd(db, known, { kind: 'failed', reason, ...(isRefusedStill && { isRefusedStill }) });
};

/** Stops trying. An eviction that was accepted cannot be taken back: the pod ends. */
export const abortMove = async (mover: PodMover, { claimId }: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, claimId);
  if (known === undefined) return { kind: 'unknown' };
  const status = await lookAt(mover, known);
  if (status.kind !== 'running') return status;
  const now = (await newestMoveOf(mover.db, claimId)) ?? known;
  return now.status === 'leaving' ? moveStatus(now) : giveUp(mover, now, 'given up');
};

const giveUp = ({ db }: PodMover, move: PodMove, why: string): Promise<MoveStatus> =>
  recordEnd(db, move, { kind: 'failed', reason: `${describeMove(move)} was ${why}` });

interface EvictionToBegin extends MoveRequest {
  readonly forced: boolean;
}

const begin = async (mover: PodMover, request: EvictionToBegin): Promise<MoveStatus> => {
  const { claimId, forced, action, instanceId } = request;
  await refuseUnlessOver(mover, request);
  const pod = await mover.findPod(instanceId);
  if (pod === undefined || hasEnded(pod)) return endOfQuicker(mover, request);
  if (action !== 'OWN_ACTION' || forced) refuseKept(mover, request, pod);
  const move = await logMove(mover.db, {
    ...{ claimId, forced, action, instanceId: uidOf(pod) },
    podName: pod.metadata.name,
    namespace: pod.metadata.namespace ?? '',
  });
  if (move === undefined) return attachToQuicker(mover, request);
  await tryNow(mover, move);
  return { kind: 'running' }; // the next look tells what became of it
};

/** Another process may have moved the pod meanwhile, for the same claim. @throws CloudRefusal where none has */
const endOfQuicker = async (mover: PodMover, { claimId, forced, instanceId }: EvictionToBegin): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, claimId);
  if (known?.forced === forced) return lookAt(mover, known);
  throw new CloudRefusal(`Instance ${instanceId} could not be found: the cluster has no such pod.`);
};

const refuseKept = ({ defaults }: PodMover, request: MoveRequest, pod: Pod): void => {
  const why = whyKept(pod, request, defaults);
  if (why === undefined) return;
  const { namespace = '', name } = pod.metadata;
  throw new BlockedRefusal(`Cannot evict pod ${namespace}/${name} (${uidOf(pod)}), since ${why}.`);
};

/** Another process logged a move at the same moment: for the same claim, or for another claim that was first. */
const attachToQuicker = async (mover: PodMover, request: EvictionToBegin): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, request.claimId);
  if (known?.forced === request.forced) return { kind: 'running' };
  throw new CloudRefusal(`Cannot evict instance ${request.instanceId}: another move of it is just beginning.`);
};

/** Another claim's move may be over without anybody having observed it. A project's own action gives way. */
const refuseUnlessOver = async (mover: PodMover, { instanceId, claimId }: MoveRequest): Promise<void> => {
  const other = await openMoveOf(mover.db, instanceId);
  if (other === undefined || other.claimId === claimId) return;
  const status = await lookAt(mover, other);
  if (status.kind !== 'running') return;
  const isOwnAction = other.action === 'OWN_ACTION' && !other.forced;
  if (isOwnAction || (await isClaimOver(mover.db, other.claimId))) {
    await giveUp(mover, other, 'given up for another claim');
    return;
  }
  throw new CloudRefusal(`Cannot evict instance ${instanceId}: ${describeMove(other)} for another claim runs.`);
};

/** Looks at the pod, and asks for its eviction when it is time. */
const watchMove = async (mover: PodMover, move: PodMove): Promise<MoveStatus> => {
  const seen = await lookAt(mover, move);
  if (seen.kind !== 'running' || !(await tryNow(mover, move))) return seen;
  return moveStatus((await newestMoveOf(mover.db, move.claimId)) ?? move);
};

/** Records that the pod is gone or ends, where it is so. It asks for nothing: the move may be given up next. */
const lookAt = async (mover: PodMover, move: PodMove): Promise<MoveStatus> => {
  if (!isOpen(move)) return moveStatus(move);
  const pod = await mover.findPod(move.instanceId, { name: move.podName, namespace: move.namespace });
  if (pod === undefined || hasEnded(pod)) return recordEnd(mover.db, move, { kind: 'gone' });
  if (isLeaving(pod)) {
    await recordLeaving(mover.db, move);
    return leavingStatus(pod, mover.client.nowMs());
  }
  return moveStatus(move);
};

/** Kubernetes gives the time at which the pod has had its time to end. */
const overdueMs = 10_000;

const leavingStatus = (pod: Pod, nowMs: number): MoveStatus => {
  const { deletionTimestamp: endsAt = '', finalizers = [] } = pod.metadata;
  if (nowMs < Date.parse(endsAt) + overdueMs) return { kind: 'running', progress: `the pod ends by ${endsAt}` };
  const { nodeName = 'without a name' } = pod.spec;
  const why =
    finalizers.length > 0
      ? `its finalizers ${finalizers.join(', ')} keep it: whoever set them has to take them away`
      : `the kubelet of node ${nodeName} has not ended it: look at that node`;
  return { kind: 'running', isStuck: true, progress: `the pod should have ended by ${endsAt}; ${why}` };
};

const isLeaving = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

/**
 * Asks the API server, when it is time and no other process asks. An own action is the project's.
 * @returns true when it asked
 */
const tryNow = async (mover: PodMover, move: PodMove): Promise<boolean> => {
  if (move.action === 'OWN_ACTION' && !move.forced) return false;
  if (!(await takeTry(mover.db, move))) return false;
  await recordAnswer(mover, move, await askUnlessHeld(mover, move));
  return true;
};

/** The time after which a node is looked at again on which somebody else is at work. */
const heldSeconds = 5;

/** A Deployment has given a pod up, or is raised again, within moments. */
const noRoomSeconds = 2;

/** The controller of budgets counts again within moments. */
const behindSeconds = 1;

const heldByOther = ({ because, mark }: Pick<HostDoubt, 'because' | 'mark'>): EvictionAnswer => {
  const since = mark?.sinceMs === undefined ? {} : { since: new Date(mark.sinceMs) };
  return { kind: 'later', because, ...since, againInSeconds: heldSeconds };
};

/** Two that drain one node undo each other's work, so the service waits also in the middle of a drain. */
const askUnlessHeld = async (
  { client, whyHeld, whyBehind, makeRoom }: PodMover,
  move: PodMove,
): Promise<EvictionAnswer> => {
  const held = await whyHeld(move.instanceId);
  if (held !== undefined) return heldByOther(held);
  if (move.forced) return deletePod(client, move);
  const room = await makeRoom(move.instanceId);
  if (room.kind === 'hold') return { kind: 'later', because: room.because, againInSeconds: noRoomSeconds };
  const behind = whyBehind(move.instanceId);
  if (behind !== undefined) return { kind: 'later', because: behind, againInSeconds: behindSeconds };
  const answer = await evict(client, move);
  if (answer.kind !== 'later' || room.waitsFor === undefined) return answer;
  return { ...answer, because: `${answer.because}; ${room.waitsFor}` };
};

const recordAnswer = async (mover: PodMover, move: PodMove, answer: EvictionAnswer): Promise<void> => {
  const { db } = mover;
  switch (answer.kind) {
    case 'accepted':
      return recordLeaving(db, move);
    case 'never':
      await recordEnd(db, move, { kind: 'failed', reason: `${describeMove(move)} was refused: ${answer.because}` });
      return;
    case 'later':
      await recordRefusal(db, move, answer);
      return tellWait(mover, move, answer.because);
  }
};

/** Says on the pod, and on its node, why it is still there. */
const tellWait = async ({ events, findPod }: PodMover, move: PodMove, because: string): Promise<void> => {
  if (move.refusal === because) return;
  const { instanceId: uid, podName: name, namespace } = move;
  const message = `pod ${namespace}/${name} is to leave its node and waits: ${because}`;
  const told = { reason: 'EvictionWaits', message };
  await events.tell({ about: { kind: 'Pod', name, uid, namespace }, ...told });
  const node = (await findPod(uid, { name, namespace }))?.spec.nodeName;
  if (node !== undefined) await events.tell({ about: { kind: 'Node', name: node, uid: node }, ...told });
};
