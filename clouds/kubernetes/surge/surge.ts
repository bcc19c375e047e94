/**
 * Raises the replicas of a Deployment by one before the eviction of a pod that its budget holds. Whoever finds the
 * annotation that remembers the number before goes on, whatever became of the process that wrote it (set-back.ts).
 */
import { createRecent } from '../../../calls/recent';
import type { Database } from '../../../prisma/database';
import type { MissingRight } from '../../../rules/cloud/cloud-facts';
import { deploymentOf, toldOf } from '../instances/workload';
import { createBudgetIndex, mostOut } from '../limits/budget-index';
import type { Budget } from '../objects/budgets';
import type { Deployment } from '../objects/others';
import type { Pod } from '../objects/pods';
import { findMissingSurgeRights } from '../rights/missing-rights';
import {
  decideSurge,
  isShrinking,
  makersOf,
  nameOf,
  type Scaled,
  type Surge,
  type SurgeDecision,
} from './decide-surge';
import { type Changer, readScaled, writeScaled } from './scaled-object';
import { setBackAll } from './set-back';

/** Says whether the eviction is asked for. `waitsFor` names what it waits for where the budget refuses it. */
export type RoomInBudget =
  { readonly kind: 'ask'; readonly waitsFor?: string } | { readonly kind: 'hold'; readonly because: string };

export interface Surger {
  /** Looks at the rights; they may be some minutes old. */
  readonly ready: () => Promise<void>;
  /** Those for a surge, where somebody asks for one. */
  readonly missingRights: () => Promise<readonly MissingRight[]>;
  /** With the rights as the last look found them. */
  readonly decide: (budget: Budget, pod: Pod) => SurgeDecision;
  /** Raises where that lets the pod go. Its move must be in the log before. */
  readonly beforeEviction: (uid: string) => Promise<RoomInBudget>;
  /** Sets back what no pod needs any more. A number that somebody else has changed stays. */
  readonly settle: () => Promise<void>;
}

interface SurgerOptions extends Changer {
  readonly db: Database;
}

export const createSurger = ({ db, client, cluster }: SurgerOptions): Surger => {
  const changer = { client, cluster };
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
      if (held === undefined) return { kind: 'ask' };
      const { pod, budget } = held;
      // This process may not know yet that another one has set it back.
      const deployment = missingRight === undefined ? await readMakers(changer, pod) : undefined;
      if (deployment !== undefined && isShrinking(deployment)) return hold(shrinkingWords(deployment));
      return roomBy(changer, decide(budget, pod), mostOut(budget) === 0);
    },
    settle: () => setBackAll({ db, ...changer }),
  };
};

const roomBy = async (changer: Changer, decision: SurgeDecision, isUsedUp: boolean): Promise<RoomInBudget> => {
  if (decision.kind === 'raised') return askBeside(raisedWords(decision.scaled, decision.surge));
  const isToRaise = decision.kind === 'raise' && (isUsedUp || decision.surge.isEnding);
  if (isToRaise) return raise(changer, decision.scaled, decision.surge);
  return isUsedUp && decision.kind === 'cannot' ? askBeside(decision.because) : { kind: 'ask' };
};

const askBeside = (waitsFor: string): RoomInBudget => ({ kind: 'ask', waitsFor });

const hold = (because: string): RoomInBudget => ({ kind: 'hold', because });

/** Reads all that may have been raised for the pod. @returns its Deployment, if it has one */
const readMakers = async (changer: Changer, pod: Pod): Promise<Deployment | undefined> => {
  const known = deploymentOf(changer.cluster, pod);
  if (known === undefined) return undefined;
  for (const one of makersOf(changer.cluster, known)) await readScaled(changer, one);
  return deploymentOf(changer.cluster, pod);
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

const raisedWords = (scaled: Scaled, { before, raisedTo }: Surge): string =>
  `${nameOf(scaled)} was raised from ${before} to ${raisedTo} replicas and waits for a further pod to be Ready`;

const shrinkingWords = (deployment: Deployment): string =>
  `${nameOf(deployment)} is being set to ${deployment.spec?.replicas ?? 1} replicas`;

/** A surge that is about to be set back is written anew, or it may be gone at any moment: then nothing is asked. */
const raise = async (changer: Changer, scaled: Scaled, { isEnding, ...surge }: Surge): Promise<RoomInBudget> => {
  const change = await writeScaled(changer, scaled, { number: surge.raisedTo, remembered: surge });
  if (change.kind === 'written') return askBeside(raisedWords(scaled, surge));
  return isEnding ? hold(change.because) : askBeside(change.because);
};
