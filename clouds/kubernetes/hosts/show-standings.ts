/**
 * Shows on each node what a session does with it: by the lifecycle conditions, by an event, by the annotation that
 * keeps the cluster autoscaler from removing a node under work, and by a taint where the scheduler is to prefer other
 * nodes. An annotation of the service's own remembers what is shown. It is written last, so that a process which is
 * killed half-way begins anew.
 */
import type { ShownStanding } from '../../cloud-driver';
import { apiGroup } from '../api-group';
import type { Store } from '../cache/store';
import type { KubernetesClient } from '../client/kubernetes-client';
import { isStatus } from '../client/kubernetes-error';
import { type Node, nodes, type Taint } from '../objects/nodes';
import { taintsFor } from './avoid-node';
import { statusPatch } from './conditions';
import type { ClusterEvent, EventTeller } from './events';

export interface StandingSources {
  readonly client: KubernetesClient;
  readonly nodes: Store<Node>;
  readonly events: EventTeller;
  /** True when the login lacks the right with this name. */
  readonly lacks: (rule: string) => Promise<boolean>;
  /** True when nodes that are still to be maintained get a taint. */
  readonly taints: boolean;
}

/** Holds the words that the node shows now; they follow its name. */
const shownAnnotation = `${apiGroup}/standing`;
/** Present while the annotation for the autoscaler is the service's own. */
const keptAnnotation = `${apiGroup}/kept-from-scale-down`;
const autoscalerAnnotation = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';

export const showStandings = async (
  sources: StandingSources,
  standings: ReadonlyMap<string, ShownStanding>,
  only?: string,
): Promise<void> => {
  await sources.nodes.ready();
  const maySetConditions = !(await sources.lacks('patch nodes/status'));
  const all = only === undefined ? [...sources.nodes.all()] : [sources.nodes.byName(only)];
  for (const node of all) {
    if (node === undefined) continue;
    const standing = standings.get(node.metadata.name);
    const isToBeAvoided = sources.taints && standing?.isToBeAvoided === true;
    await showOn(sources, node, { standing, maySetConditions, isToBeAvoided });
  }
};

const words: Readonly<Record<ShownStanding['doing'], string>> = {
  planned: 'is to be maintained in',
  draining: 'is being drained in',
  maintaining: 'is being maintained in',
  releasing: 'goes back to use after',
};

const wordsOf = ({ doing, sessionId }: ShownStanding): string => `${words[doing]} maintenance session ${sessionId}`;

const reasons: Readonly<Record<ShownStanding['doing'], string>> = {
  planned: 'MaintenancePlanned',
  draining: 'DrainStarted',
  maintaining: 'MaintenanceStarted',
  releasing: 'GoesBackToUse',
};

interface ToShow {
  /** Undefined: no session has the node in hand. */
  readonly standing: ShownStanding | undefined;
  readonly maySetConditions: boolean;
  readonly isToBeAvoided: boolean;
}

const mostTries = 5;

/** The watched node may be a moment old. Where it does not show the standing, a fresh read decides. */
const showOn = async (sources: StandingSources, known: Node, toShow: ToShow): Promise<void> => {
  if (changesFor(known, toShow) === undefined) return;
  for (let tries = 1; ; tries += 1) {
    try {
      const node = await sources.client.get(nodes, { name: known.metadata.name });
      const changes = node && changesFor(node, toShow);
      if (node && changes) await write(sources, node, changes);
      return;
    } catch (error) {
      // Somebody else has changed it in between.
      if (!isStatus(error, 409) || tries >= mostTries) throw error;
    }
  }
};

/** The version keeps a taint, and a condition, that somebody else sets at this moment. */
const write = async (sources: StandingSources, fresh: Node, changes: Changes): Promise<void> => {
  const { taints, status, annotations, event } = changes;
  let node = fresh;
  if (taints !== undefined) {
    const { resourceVersion } = node.metadata;
    node = await change(sources, node, { patch: { metadata: { resourceVersion }, spec: { taints } }, type: 'merge' });
  }
  if (status !== undefined) {
    const { resourceVersion } = node.metadata;
    const patch = { metadata: { resourceVersion }, status };
    node = await change(sources, node, { patch, type: 'strategic', subresource: 'status' });
  }
  if (event !== undefined) await sources.events.tell(event);
  if (annotations !== undefined) await change(sources, node, { patch: { metadata: { annotations } }, type: 'merge' });
};

interface Changes {
  readonly taints: readonly Taint[] | undefined;
  readonly status: object | undefined;
  readonly annotations: Readonly<Record<string, string | null>> | undefined;
  readonly event: ClusterEvent | undefined;
}

/** @returns undefined where all is shown */
const changesFor = (node: Node, { standing, maySetConditions, isToBeAvoided }: ToShow): Changes | undefined => {
  const before = node.metadata.annotations?.[shownAnnotation] ?? '';
  const now = standing === undefined ? '' : wordsOf(standing);
  const told = { message: `node ${now}`, now: new Date() };
  const status = maySetConditions ? statusPatch(node, standing, told) : undefined;
  const taints = taintsFor(node, isToBeAvoided);
  const kept = annotationsFor(node, standing);
  if (now !== before) {
    return {
      taints,
      status,
      annotations: { ...kept, [shownAnnotation]: now || null },
      event: eventAbout(node, before, standing),
    };
  }
  const annotations = Object.keys(kept).length === 0 ? undefined : kept;
  const isShown = [taints, status, annotations].every((one) => one === undefined);
  return isShown ? undefined : { taints, status, annotations, event: undefined };
};

const eventAbout = (
  { metadata: { name, uid = name } }: Node,
  before: string,
  standing: ShownStanding | undefined,
): ClusterEvent => {
  const about = { kind: 'Node', name, uid };
  if (standing !== undefined) {
    return { about, reason: reasons[standing.doing], message: `node ${name} ${wordsOf(standing)}` };
  }
  // The words before end with the session.
  return {
    about,
    reason: 'MaintenanceOver',
    message: `session ${before.split(' ').at(-1) ?? ''} is done with node ${name}`,
  };
};

/** Keeps the node while there is work on it. What somebody else has set stays. */
const annotationsFor = (
  { metadata: { annotations = {} } }: Node,
  standing: ShownStanding | undefined,
): Readonly<Record<string, string | null>> => {
  const isUnderWork = standing !== undefined && standing.doing !== 'planned';
  const isOwn = annotations[keptAnnotation] !== undefined;
  if (isUnderWork && annotations[autoscalerAnnotation] === undefined) {
    return { [autoscalerAnnotation]: 'true', [keptAnnotation]: 'true' };
  }
  return !isUnderWork && isOwn ? { [autoscalerAnnotation]: null, [keptAnnotation]: null } : {};
};

type NodePatch = Parameters<KubernetesClient['patch']>[2];

/** A node that is gone meanwhile shows nothing. The next look finds the change in what is known of the cluster. */
const change = async ({ client, nodes: known }: StandingSources, node: Node, how: NodePatch): Promise<Node> => {
  try {
    const changed = await client.patch(nodes, { name: node.metadata.name }, how);
    known.put(changed);
    return changed;
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    return node;
  }
};
