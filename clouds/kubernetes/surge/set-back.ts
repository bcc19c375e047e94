/**
 * Sets replicas back that were raised for a pod that has left, while further evictions of the same Deployment may begin
 * at any moment in other processes. The budget does not help there: the controller that gives a pod up asks no budget.
 *
 * So both sides first write what they are about to do, and then look at what the other has written. A move is in the
 * log before the object is read for it, and the set-back is announced on the object before the log is read for it. One
 * of them sees the other: a move that finds the announcement writes the surge anew, and a set-back that finds a move
 * waits. Every write is on condition of the version that was read, so that of the two only one succeeds.
 */
import type { Database } from '../../../prisma/database';
import { deploymentOf } from '../instances/workload';
import { findPodsToLeave } from '../moves/move-log';
import { pods as podResource } from '../objects/pods';
import { decideEnd, isAutoscaler, numberOf, type Scaled, type SurgeEnd, surgeOf } from './decide-surge';
import { type Changer, readScaled, writeScaled } from './scaled-object';

export interface SetBackSources extends Changer {
  readonly db: Database;
}

/** Sets back what no pod needs any more. A number that somebody else has changed stays. */
export const setBackAll = async (sources: SetBackSources): Promise<void> => {
  const { cluster } = sources;
  await cluster.ready();
  const raised = [...cluster.deployments.all(), ...cluster.autoscalers.all()].filter(surgeOf);
  for (const known of raised) {
    const scaled = await readScaled(sources, known);
    if (scaled !== undefined) await settle(sources, scaled);
  }
};

const settle = async (sources: SetBackSources, scaled: Scaled): Promise<void> => {
  const surge = surgeOf(scaled);
  if (surge === undefined) return;
  const end = await endOf(sources, scaled);
  if (end === 'forget') await writeScaled(sources, scaled, { number: numberOf(scaled), remembered: undefined });
  if (end !== 'setBack') return;
  const announcement = { number: surge.raisedTo, remembered: { ...surge, isEnding: true } } as const;
  const announced = await writeScaled(sources, scaled, announcement);
  if (announced.kind === 'refused') return;
  const { items } = await sources.client.list(podResource, { namespace: scaled.metadata.namespace ?? '' });
  items.forEach(sources.cluster.pods.put);
  if ((await endOf(sources, announced.scaled)) !== 'setBack') return;
  await writeScaled(sources, announced.scaled, { number: surge.before, remembered: undefined });
};

const endOf = async ({ db, cluster }: SetBackSources, scaled: Scaled): Promise<SurgeEnd> => {
  const { namespace, name } = scaled.metadata;
  const deployment = isAutoscaler(scaled) ? scaled.spec.scaleTargetRef.name : name;
  const own = cluster.deployments.byName(deployment, namespace)?.metadata.uid;
  // Its pods are not known either, so nobody can tell that they need it no more.
  if (own === undefined) return 'wait';
  const toLeave = await findPodsToLeave(db);
  const pods = [...cluster.pods.all()].filter((pod) => deploymentOf(cluster, pod)?.metadata.uid === own);
  return decideEnd(scaled, pods, toLeave);
};
