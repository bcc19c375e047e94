/**
 * A second answer to a question that differs from the first. The newest answer counts until an action that an answer
 * allows has begun; after that a different answer comes too late.
 */
import { type IdKey, keyOf, writtenAs } from '../cloud/id';
import type { Action } from '../decisions/fleet/fleet';
import { timeFor } from '../owner-times/reply-times';
import type { Question } from './question';
import {
  actionPointer,
  type Answer,
  type ChangedAnswer,
  type ChosenActions,
  type Reply,
  type ReplyRefusal,
} from './reply';

/** An action that began after the question about it. */
export interface BegunAction {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly action: Action;
  readonly sinceMs: number;
}

/** The changes by the new answer; undefined when both say the same. */
export const changedAnswer = (question: Question, reply: Reply, answer: Answer): ChangedAnswer | undefined => {
  const actions = changesOf(question, reply, answer);
  const retimed = retimedBy(question, reply).filter((id) => actions?.includes(id) !== true);
  if (retimed.length === 0) return actions && { ...answer, kind: 'change', changes: actions };
  return { ...answer, kind: 'change', changes: [...(actions ?? []), ...retimed], retimed };
};

const changesOf = (question: Question, reply: Reply, { instanceActions }: Answer): readonly string[] | undefined => {
  if (question.answer !== reply.answer) return question.instanceIds;
  if (reply.answer === 'NACK') return undefined;
  const before = actionsByKey(question.instanceActions);
  const after = actionsByKey(instanceActions);
  // An answer in SCALE_IN names instances that the question does not name, in any form of their IDs.
  const named = new Map([...Object.keys(instanceActions), ...Object.keys(question.instanceActions)].map(withKey));
  const changes = [...named].flatMap(([key, id]) => (before.get(key) === after.get(key) ? [] : [id]));
  return changes.length === 0 ? undefined : changes;
};

/** The instances for which the new answer has another time. */
const retimedBy = ({ instanceIds, times }: Question, reply: Reply): readonly string[] =>
  instanceIds.filter((id) => timeFor(times, id) !== timeFor(reply.times, id));

const withKey = (id: string): [IdKey, string] => {
  return [keyOf(id), id];
};

const actionsByKey = (actions: ChosenActions): ReadonlyMap<IdKey, Action> => {
  return new Map(Object.entries(actions).map(([id, action]) => [keyOf(id), action]));
};

/** @param begun actions of the question's instances; the answer is refused when it changes one of them */
export const refusalOfChangedAnswer = (
  { changes, retimed = [], instanceActions }: ChangedAnswer,
  reply: Reply,
  begun: readonly BegunAction[],
): ReplyRefusal | undefined => {
  const asAsked = writtenAs(changes);
  const isOther = (instanceId: string, action: Action): boolean =>
    timeFor(reply.times, instanceId) !== undefined ||
    (!retimed.includes(instanceId) && instanceActions[instanceId] !== action);
  const changed = begun
    .map((one) => ({ ...one, instanceId: asAsked(one.instanceId) }))
    .find(({ instanceId, action }) => changes.includes(instanceId) && isOther(instanceId, action));
  if (changed === undefined) return undefined;
  const { instanceId, instanceName, action, sinceMs } = changed;
  const isNamed = reply.answer === 'ACK' && instanceActions[instanceId] !== undefined;
  return {
    kind: 'refuse',
    code: 'ALREADY_BEGUN',
    because: `${action} of instance ${instanceName} (${instanceId}) began at ${timeOf(sinceMs)}, by the answer before this one`,
    pointer: isNamed ? actionPointer(reply, instanceId) : '/state',
    hint: isByTimeForAll(reply, instanceId) && changes.length > 1 ? hintForOthers : hintForBegun,
  };
};

const hintForBegun =
  'nothing of this reply counts; INSTANCE_ACTION_DONE or INSTANCE_ACTION_FAILED tells how the action ends';

const hintForOthers =
  'nothing of this reply counts; put the other instances off by their IDs in instance_not_before, without not_before';

/** True where the instance has the time that the reply gives all of them. */
const isByTimeForAll = ({ times }: Reply, instanceId: string): boolean =>
  times?.notBeforeMs !== undefined && times.instanceNotBeforeMs[instanceId] === undefined;

/** The session, or the work on the host, has continued after its first answer. */
export const refuseAfterwards = ({ state, answer, hostname, closedAtMs = 0 }: Question): ReplyRefusal => {
  const went = hostname === undefined ? `the session went on from ${state}` : `maintenance of host ${hostname} began`;
  return {
    kind: 'refuse',
    code: 'ALREADY_BEGUN',
    because: `${went} at ${timeOf(closedAtMs)}, by the answer ${answer ?? 'ACK'}_${state}`,
    pointer: '/state',
    hint: 'an answer can be changed until what it allows has begun; the same answer once more is no error',
  };
};

const timeOf = (atMs: number): string => new Date(atMs).toISOString();
