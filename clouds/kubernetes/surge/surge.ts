/**
 * Raises the replicas of a Deployment by one before the eviction of a pod that its budget holds, and sets them back.
 * Whoever finds the annotation that remembers the number before goes on, whatever became of the process that wrote it.
 */
import type { Database } from '../../../prisma/database';
import type { MissingRight } from '../../../rules/cloud/cloud-facts';
import { createRecent } from '../../recent';
import { deploymentOf, toldOf } from '../instances/workload';
import { createBudgetIndex, mostOut } from '../limits/budget-index';
import { findMovedPods } from '../moves/move-log';
import type { Budget } from '../objects/budgets';
import type { Pod } from '../objects/pods';
import { findMissingSurgeRights } from '../rights/missing-rights';
import {
  decideEnd,
  decideSurge,
  isAutoscaler,
  nameOf,
  numberOf,
  type Scaled,
  type Surge,
  type SurgeDecision,
  surgeOf,
} from './decide-surge';
import { type Changer, readScaled, writeScaled } from './scaled-object';

export interface Surger {
  /** Looks at the rights; they may be some minutes old. */
  readonly ready: () => Promise<void>;
  /** Those for a surge, where somebody asks for one. */
  readonly missingRights: () => Promise<readonly MissingRight[]>;
  /** With the rights as the last look found them. */
  readonly decide: (budget: Budget, pod: Pod) => SurgeDecision;
  /** Raises where that lets the pod go. @returns what else a refused eviction waits for; undefined: nothing */
  readonly beforeEviction: (uid: string) => Promise<string | undefined>;
  /** Sets back what no pod needs any more. A number that somebody else has changed stays. */
  readonly settle: () => Promise<void>;
}

interface SurgerOptions extends Changer {
  readonly db: Database;
}

export const createSurger = ({ db, client, cluster }: SurgerOptions): Surger => {
  const rights = createRecent({ read: () => findMissingSurgeRights(client), keepMs: 5 * 60_000 });
  let missingRight: string | undefined;
  const look = async (): Promise<readonly MissingRight[]> => {
    const missing = await rights.get();
    missingRight = missing[0]?.rule;
    return missing;
  };
  const ready = () => Promise.all([cluster.ready(), look().catch(() => undefined)]).then(() => undefined);
  const decide = (budget: Budget, pod: Pod) => decideSurge({ cluster, missingRight }, budget, pod);
  return {
    ready,
    decide,
    async missingRights() {
      const [missing] = await Promise.all([look(), cluster.ready()]);
      if (missing.length === 0) return missing;
      return [...cluster.pods.all()].some((pod) => toldOf(cluster, pod).surges === true) ? missing : [];
    },
    async beforeEviction(uid) {
      await ready();
      const held = findBudgetOver(cluster, uid);
      if (held === undefined) return undefined;
      const { pod, budget } = held;
      const known = decide(budget, pod);
      if (known.kind === 'raised') return wordsOf(known);
      if (mostOut(budget) !== 0) return undefined;
      if (known.kind !== 'raise') return wordsOf(known);
      for (const one of [known.scaled, deploymentOf(cluster, pod)]) {
        if (one !== undefined) await readScaled({ client, cluster }, one);
      }
      const now = decide(budget, pod);
      return now.kind === 'raise' ? raise({ client, cluster }, now.scaled, now.surge) : wordsOf(now);
    },
    async settle() {
      await cluster.ready();
      const raised = [...cluster.deployments.all(), ...cluster.autoscalers.all()].filter(surgeOf);
      for (const scaled of raised) await settleOne({ db, client, cluster }, scaled);
    },
  };
};

/** Undefined also where nobody asks for a surge, and where there are several budgets, which no replica helps. */
const findBudgetOver = (
  cluster: Changer['cluster'],
  uid: string,
): { readonly pod: Pod; readonly budget: Budget } | undefined => {
  const pod = cluster.pods.byUid(uid);
  if (pod === undefined || toldOf(cluster, pod).surges !== true) return undefined;
  const [budget, ...others] = createBudgetIndex(cluster).over(pod);
  return budget === undefined || others.length > 0 ? undefined : { pod, budget };
};

const wordsOf = (decision: SurgeDecision): string | undefined => {
  if (decision.kind === 'cannot') return decision.because;
  return decision.kind === 'raised' ? raisedWords(decision.scaled, decision.surge) : undefined;
};

const raisedWords = (scaled: Scaled, { before, raisedTo }: Surge): string =>
  `${nameOf(scaled)} was raised from ${before} to ${raisedTo} replicas and waits for a further pod to be Ready`;

const raise = async (changer: Changer, scaled: Scaled, surge: Surge): Promise<string> => {
  const remembered = `from ${surge.before} to ${surge.raisedTo}`;
  const refused = await writeScaled(changer, scaled, { number: surge.raisedTo, remembered });
  return refused ?? raisedWords(scaled, surge);
};

const settleOne = async ({ db, ...changer }: SurgerOptions, known: Scaled): Promise<void> => {
  const scaled = await readScaled(changer, known);
  if (scaled === undefined) return;
  const { cluster } = changer;
  const { namespace, name } = scaled.metadata;
  const deployment = isAutoscaler(scaled) ? scaled.spec.scaleTargetRef.name : name;
  const own = cluster.deployments.byName(deployment, namespace)?.metadata.uid;
  // Its pods are not known either, so nobody can tell that they need it no more.
  if (own === undefined) return;
  const pods = [...cluster.pods.all()].filter((pod) => deploymentOf(cluster, pod)?.metadata.uid === own);
  const end = decideEnd(scaled, pods, await findMovedPods(db));
  if (end === 'wait') return;
  const number = end === 'setBack' ? surgeOf(scaled)?.before : undefined;
  await writeScaled(changer, scaled, { number: number ?? numberOf(scaled), remembered: null });
};
