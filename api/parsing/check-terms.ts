/** Checks terms by the facts of the cloud, which their schema does not know. */
import type { CloudActions } from '../../rules/cloud/cloud-facts';
import type { MoveAnswer, Terms } from '../../rules/terms/terms';
import type { FieldError } from '../problems/problem';

interface ActingCloud {
  readonly name: string;
  readonly actions: Pick<CloudActions, 'offered'>;
}

/** @param pointer to the terms in the body */
export const checkTerms = ({ answers = {} }: Terms, cloud: ActingCloud, pointer = ''): FieldError[] =>
  (['PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE'] as const).flatMap((state) =>
    checkAction(answers[state], cloud).map((message) => ({ pointer: `${pointer}/answers/${state}/action`, message })),
  );

const checkAction = (answer: MoveAnswer | undefined, { name, actions: { offered } }: ActingCloud): string[] => {
  if (typeof answer !== 'object' || offered.some((action) => action === answer.action)) return [];
  return [`must be one of ${offered.join(', ')}: the ${name} cloud does not offer ${answer.action}`];
};
