/** Writes into claims what follows from the questions about their instances. */
import { type ActionsOfCloud, defaultActionOf, stepByAnswer } from '../../rules/questions/action-by-answer';
import type { Question } from '../../rules/questions/question';
import { findConstraintsOf } from '../constraints/constraints-for-decisions';
import type { Transaction } from '../database';
import { recordSteps } from '../moves/claims';

export interface SettledClaim {
  readonly claimId: string;
  readonly instanceId: string;
  /** The newest one; undefined: no answer is needed. */
  readonly question: Question | undefined;
}

/** The caller has locked questions and claims. The present constraints decide where no action was chosen. */
export const settleClaims = async (
  tx: Transaction,
  actions: ActionsOfCloud,
  settled: readonly SettledClaim[],
): Promise<void> => {
  if (settled.length === 0) return;
  const constraints = await findConstraintsOf(
    tx,
    settled.map(({ instanceId }) => instanceId),
  );
  const steps = settled.map(({ claimId, instanceId: id, question }) => {
    const defaultAction = defaultActionOf(actions, constraints.get(id)?.migrationType);
    return { claimId, ...stepByAnswer({ id, defaultAction }, question) };
  });
  await recordSteps(tx, steps);
};
