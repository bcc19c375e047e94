/** Checks terms by the facts of the cloud, which their schema does not know. */
import type { CloudActions } from '../rules/cloud/cloud-facts';
import { hoursOf, type MoveAnswer, type Terms } from '../rules/cloud/terms';
import type { SchemaFault } from '../rules/words/schema-fault';
import { checkEachWindow } from './check-window';

interface ActingCloud {
  readonly name: string;
  readonly actions: Pick<CloudActions, 'offered'>;
}

interface TermsCheck {
  readonly cloud: ActingCloud;
  readonly now: Date;
  /** To the terms in the body; left out: they are the body. */
  readonly pointer?: string;
}

export const checkTerms = (terms: Terms, { cloud, now, pointer = '' }: TermsCheck): SchemaFault[] => [
  ...checkAnswers(terms, cloud, `${pointer}/answers`),
  ...checkEachWindow(hoursOf(terms) ?? [], `${pointer}/hours`, now),
];

const checkAnswers = ({ answers = {} }: Terms, cloud: ActingCloud, pointer: string): SchemaFault[] =>
  (['PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE'] as const).flatMap((state) =>
    checkAction(answers[state], cloud).map((message) => ({ pointer: `${pointer}/${state}/action`, message })),
  );

const checkAction = (answer: MoveAnswer | undefined, { name, actions: { offered } }: ActingCloud): string[] => {
  if (typeof answer !== 'object' || offered.some((action) => action === answer.action)) return [];
  return [`must be one of ${offered.join(', ')}: the ${name} cloud does not offer ${answer.action}`];
};
