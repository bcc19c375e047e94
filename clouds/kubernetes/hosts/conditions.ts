/**
 * The lifecycle conditions of a node by which Kubernetes tells its controllers, and all who look, that somebody drains
 * or maintains it (KEP-5683). Those of others stay as they are.
 */
import type { ShownStanding } from '../../cloud-driver';
import type { Node } from '../objects/nodes';

/** The reason of the conditions that the service sets, by which it knows them. */
export const ownConditionReason = 'ParleySession';

type LifecycleCondition = 'MaintenancePlanned' | 'DrainInProgress' | 'Drained' | 'MaintenanceInProgress';

const conditionsOf: Readonly<Record<ShownStanding['doing'], readonly LifecycleCondition[]>> = {
  planned: ['MaintenancePlanned'],
  draining: ['MaintenancePlanned', 'DrainInProgress'],
  maintaining: ['Drained', 'MaintenanceInProgress'],
  releasing: [],
};

/** The strategic patch of a node's status that makes its conditions fit; undefined where they do. */
export const statusPatch = (
  node: Node,
  standing: ShownStanding | undefined,
  { message, now }: { readonly message: string; readonly now: Date },
): object | undefined => {
  const present = (node.status?.conditions ?? []).filter(({ status }) => status === 'True');
  const own = present.filter(({ reason }) => reason === ownConditionReason);
  const others = new Set<string>(present.filter((each) => !own.includes(each)).map(({ type }) => type));
  const wanted: readonly string[] = (standing === undefined ? [] : conditionsOf[standing.doing]).filter(
    (type) => !others.has(type),
  );
  const missing = wanted.filter((type) => !own.some((each) => each.type === type && each.message === message));
  const left = own.filter(({ type }) => !wanted.includes(type));
  if (missing.length + left.length === 0) return undefined;
  const lastTransitionTime = now.toISOString();
  const set = { status: 'True', reason: ownConditionReason, message, lastTransitionTime };
  const conditions = [
    ...missing.map((type) => ({ type, ...set, lastHeartbeatTime: lastTransitionTime })),
    ...left.map(({ type }) => ({ type, $patch: 'delete' })),
  ];
  return { conditions };
};
