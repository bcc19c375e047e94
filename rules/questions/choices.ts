/**
 * The actions that a reply chooses. A body has two fields for them: `instance_actions` with the IDs of the instances,
 * and `instance_action` for the one instance that the reply is about. Either one is taken at either address where it
 * can mean one thing only. Otherwise the reply is refused, so that no choice is dropped.
 */
import { keyOf } from '../cloud/id';
import type { Question } from './question';
import { namedInstance, type Reply, type ReplyCircumstances, type ReplyRefusal } from './reply';

interface ActionsInReply {
  readonly kind: 'chosen';
  /** Actions by instance ID. */
  readonly actions: Readonly<Record<string, string>>;
}

interface AboutQuestion {
  readonly question: Question;
  readonly names?: ReplyCircumstances['names'];
}

/** A choice for another instance, at the address of one. */
export const choiceForAnother = (
  { answer, instanceId, instanceActions }: Reply,
  names: ReplyCircumstances['names'],
): ReplyRefusal | undefined => {
  if (instanceId === undefined || answer === 'NACK') return undefined;
  const other = Object.keys(instanceActions).find((id) => keyOf(id) !== keyOf(instanceId));
  if (other === undefined) return undefined;
  return {
    kind: 'refuse',
    code: 'CHOICE_MISPLACED',
    pointer: `/instance_actions/${other}`,
    because: `instance_actions names instance ${namedInstance(other, names)}, but this is the address of instance ${namedInstance(instanceId, names)}`,
    hint: 'send the action of each instance to the reply_url of its own event',
  };
};

/** True when a reply names instances, and no question of the session was about any of them: an ID is wrong. */
export const namesNobody = (questions: readonly Question[], { instanceActions }: Reply): boolean => {
  const known = new Set(questions.flatMap(({ instanceIds }) => instanceIds.map(keyOf)));
  const named = Object.keys(instanceActions);
  return named.length > 0 && !named.some((id) => known.has(keyOf(id)));
};

/** The refusal of such choices: their instance would move by default. */
export const choiceForNobody = ({ question, names }: AboutQuestion, { instanceActions }: Reply): ReplyRefusal => {
  const [first = ''] = Object.keys(instanceActions);
  return {
    kind: 'refuse',
    code: 'CHOICE_MISPLACED',
    pointer: `/instance_actions/${first}`,
    because: `instance_actions names instance ${namedInstance(first, names)}, about which this project was not asked`,
    hint: `the question is about ${question.instanceIds.map((id) => namedInstance(id, names)).join(', ')}`,
  };
};

/** The action of each instance, as the reply to this question chooses it. A NACK chooses nothing. */
export const choicesOf = (about: AboutQuestion, reply: Reply): ActionsInReply | ReplyRefusal => {
  const { answer, instanceActions, instanceAction } = reply;
  if (answer === 'NACK') return { kind: 'chosen', actions: {} };
  if (instanceAction === undefined) return { kind: 'chosen', actions: instanceActions };
  const only = reply.instanceId ?? onlyInstanceOf(about.question);
  if (only === undefined) return ofWhichInstance(about.question);
  const named = instanceActions[only];
  if (named !== undefined && named !== instanceAction) return contradiction(about, only, { named, instanceAction });
  return { kind: 'chosen', actions: { ...instanceActions, [only]: instanceAction } };
};

/** The project chooses the instance in SCALE_IN, even when the question names one. */
const onlyInstanceOf = ({ state, instanceIds }: Question): string | undefined =>
  state !== 'SCALE_IN' && instanceIds.length === 1 ? instanceIds[0] : undefined;

const ofWhichInstance = ({ state, instanceIds }: Question): ReplyRefusal => ({
  kind: 'refuse',
  code: 'CHOICE_MISPLACED',
  pointer: '/instance_action',
  because:
    state === 'SCALE_IN' || instanceIds.length === 0
      ? `instance_action does not say of which instance: ${state} is asked of the whole project`
      : `instance_action does not say of which instance: ${state} is asked about ${instanceIds.length} instances`,
  hint: 'name each instance by its ID in instance_actions',
});

const contradiction = (
  { names }: AboutQuestion,
  only: string,
  { named, instanceAction }: { readonly named: string; readonly instanceAction: string },
): ReplyRefusal => ({
  kind: 'refuse',
  code: 'CHOICE_MISPLACED',
  pointer: '/instance_action',
  because: `instance_action chooses ${instanceAction} for instance ${namedInstance(only, names)}, and instance_actions chooses ${named}`,
  hint: 'choose one action for the instance; one of the two fields is enough',
});
