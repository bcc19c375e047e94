/**
 * Reads answers: which action an instance takes, also when its project stays silent. Whoever needs to know asks here,
 * or reads the claim, into which the action is written. negotiation.ts and instance-question.ts decide when a window
 * has ended, reply-policy.ts what else follows from silence.
 */
import { whyByProject } from '../cloud/departure';
import type { Action, Instance } from '../decisions/fleet/fleet';
import { isAsked } from '../decisions/fleet/is-asked';
import { isRefused, isSettled, type Question } from './question';

type InstanceWithDefault = Pick<Instance, 'id' | 'defaultAction'>;

/**
 * The action that the project chose for the instance in its answer, or else the default behaviour: nobody was asked,
 * nobody answered, or the answer leaves the instance out.
 *
 * @param question the settled question that covers the instance; undefined when nothing was asked
 */
export const actionOf = (
  { id, defaultAction }: InstanceWithDefault,
  question?: Pick<Question, 'answer' | 'instanceActions' | 'cannotMove'>,
): Action => {
  if (question?.answer !== 'ACK') return defaultAction;
  // A project that accepts and names no action accepts the only one that was offered.
  const only = question.cannotMove?.[id] === undefined ? undefined : 'OWN_ACTION';
  return question.instanceActions[id] ?? only ?? defaultAction;
};

/** The step of a claim: its question is settled, and its action may begin; or it waits for an answer. */
export type StepByAnswer = { readonly phase: 'asked' } | { readonly phase: 'moving'; readonly action: Action };

/** @param question the claim's newest one, which is not open any more; undefined: no answer is needed */
export const stepByAnswer = (instance: InstanceWithDefault, question: Question | undefined): StepByAnswer =>
  question && isRefused(question) ? { phase: 'asked' } : { phase: 'moving', action: actionOf(instance, question) };

/** An OWN_ACTION that its project chose and did not carry out in time. */
export interface ExpiredOwnAction {
  /** The host that the instance is to leave. */
  readonly hostname: string;
  readonly endedAtMs: number;
}

export interface AskedAbout {
  readonly instance: InstanceWithDefault & Pick<Instance, 'host' | 'leadTimeSeconds' | 'departure'>;
  /** The questions that may cover it: about its host, or about itself, in the present state of its session. */
  readonly questions: readonly Question[];
  /** The time since which the host is drained in this state; left out: all questions count. */
  readonly sinceMs?: number;
  readonly expired?: ExpiredOwnAction | undefined;
}

/** The action by the newest settled question that covers the instance; undefined while there is none. */
export const actionByAnswers = ({ instance, questions, sinceMs = 0, expired }: AskedAbout): Action | undefined => {
  const question = coveringQuestion(
    instance.id,
    questions.filter(countsFor({ cannotMove: whyByProject(instance) }, sinceMs)),
  );
  if (question === undefined && isAsked(instance)) return undefined;
  const hasExpired = hasExpiredSince(expired, instance, question?.createdAtMs ?? 0);
  return actionOf(instance, hasExpired ? undefined : question);
};

/**
 * The same for an action that was granted by such an answer and is about to begin: the project may change its answer
 * until then. While its question is asked again, the action is refused.
 */
export const actionNow = (granted: Action, asked: AskedAbout): Action | 'refused' => {
  const isCovered = asked.questions.some(({ instanceIds }) => instanceIds.includes(asked.instance.id));
  return isCovered ? (actionByAnswers(asked) ?? 'refused') : granted;
};

/** Counts, for an instance that the cloud cannot move, only questions after the expired action. */
export const hasExpiredSince = (
  expired: ExpiredOwnAction | undefined,
  instance: Pick<Instance, 'host' | 'departure'>,
  sinceMs: number,
): boolean =>
  expired?.hostname === instance.host && (whyByProject(instance) === undefined || expired.endedAtMs >= sinceMs);

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
export const coveringQuestion = (instanceId: string, questions: readonly Question[]): Question | undefined =>
  questions
    .filter((question) => isSettled(question) && question.instanceIds.includes(instanceId))
    .reduce<Question | undefined>((newest, question) => newer(newest, question), undefined);

const newer = (one: Question | undefined, other: Question): Question =>
  one !== undefined && one.createdAtMs > other.createdAtMs ? one : other;

/**
 * When the cloud cannot move the instances in a question, their project is asked once more after a failure or when the
 * drain of the host starts again, since nothing can continue without an own action. Only questions since then count.
 */
export const countsFor =
  ({ cannotMove }: { readonly cannotMove?: unknown }, sinceMs: number) =>
  ({ createdAtMs }: Pick<Question, 'createdAtMs'>): boolean =>
    cannotMove === undefined || createdAtMs >= sinceMs;
