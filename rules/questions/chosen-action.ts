/**
 * Decides which action an instance takes, also when its project stays silent. negotiation.ts and instance-question.ts
 * decide when a window has ended, reply-policy.ts what else follows from silence.
 */
import type { Action, Instance } from '../decisions/fleet/fleet';
import type { Question } from './question';

/**
 * The action that the project chose for the instance in its answer, or else the default behaviour: nobody was asked,
 * nobody answered, or the answer leaves the instance out.
 *
 * @param question the settled question that covers the instance; undefined when nothing was asked
 */
export const actionOf = (instance: Pick<Instance, 'id' | 'defaultAction'>, question?: Question): Action => {
  return chosenAction(instance.id, question) ?? instance.defaultAction;
};

/** The facts about a cloud's actions for decisions, from its driver. */
export interface ActionsOfCloud {
  readonly migrationTypes: readonly Action[];
  readonly default: Action;
}

/** The default behaviour for an instance whose project has stored this `migration_type`, or none. */
export const defaultActionOf = (actions: ActionsOfCloud, migrationType?: Action): Action => {
  // Nobody has said that the project acts on its own now, so the service moves the instance itself.
  if (migrationType === undefined || migrationType === 'OWN_ACTION') return actions.default;
  // Another type may have been stored when the service ran on another cloud.
  return actions.migrationTypes.includes(migrationType) ? migrationType : actions.default;
};

/** The newest settled question that lists the instance; a refused one (NACK) settles nothing. */
export const coveringQuestion = (instanceId: string, questions: readonly Question[]): Question | undefined => {
  return questions
    .filter((question) => isSettled(question) && question.instanceIds.includes(instanceId))
    .reduce<Question | undefined>((newest, question) => newer(newest, question), undefined);
};

/**
 * When the cloud cannot move the instances in a question, their project is asked once more after a failure or when the
 * drain of the host starts again, since nothing can continue without an own action. Only questions since then count.
 */
export const countsFor = (
  { cannotMove }: { readonly cannotMove?: unknown },
  sinceMs: number,
): ((question: Pick<Question, 'createdAtMs'>) => boolean) => {
  return ({ createdAtMs }) => cannotMove === undefined || createdAtMs >= sinceMs;
};

/** True when nothing more is asked about the question's instances: it was accepted, or its window ended in silence. */
export const isSettled = (question: Question): boolean => {
  if (question.status === 'closed') return !isWithdrawn(question);
  return question.status === 'answered' && question.answer === 'ACK';
};

/** Closed before its time, because its host was given back or its session stopped: nobody was silent. */
const isWithdrawn = ({ closedAtMs, replyAtMs }: Question): boolean => {
  return closedAtMs !== undefined && (replyAtMs === undefined || closedAtMs < replyAtMs);
};

/** Undefined when its project left the choice to the service. */
export const chosenAction = (instanceId: string, question?: Question): Action | undefined => {
  if (question?.answer !== 'ACK') return undefined;
  // A project that accepts and names no action accepts the only one that was offered.
  const only = question.cannotMove?.[instanceId] === undefined ? undefined : 'OWN_ACTION';
  return question.instanceActions[instanceId] ?? only;
};

const newer = (one: Question | undefined, other: Question): Question => {
  return one !== undefined && one.createdAtMs > other.createdAtMs ? one : other;
};
