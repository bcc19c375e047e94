/**
 * What a project says once, before anybody asks it: its terms. They stand in three places, of which the nearest counts,
 * field by field: in the constraints of an instance, in those of its group, and of the whole project.
 * answer-by-terms.ts decides which questions they answer.
 */
import type { Action } from '../decisions/fleet/fleet';

/**
 * - always: the project is asked, and its reply is waited for; the answer of the terms follows silence.
 * - never: the answer of the terms counts at once.
 */
export const askChoices = ['always', 'never'] as const;
export type AskChoice = (typeof askChoices)[number];

/** The states about which instances are asked: an answer may choose their action. */
export type StateOfMoves = 'PREPARE_MAINTENANCE' | 'PLANNED_MAINTENANCE';

/** ACK without an action leaves the action to the default behaviour. */
export type MoveAnswer = 'ACK' | { readonly action: Action };

/** Answers by state. A refusal of a maintenance needs somebody to talk to, so only SCALE_IN can be refused. */
export interface TermsAnswers {
  readonly MAINTENANCE?: 'ACK' | undefined;
  readonly SCALE_IN?: 'ACK' | 'NACK' | undefined;
  /** Left out: as PLANNED_MAINTENANCE. */
  readonly PREPARE_MAINTENANCE?: MoveAnswer | undefined;
  readonly PLANNED_MAINTENANCE?: MoveAnswer | undefined;
  readonly MAINTENANCE_COMPLETE?: 'ACK' | undefined;
}

export interface Terms {
  /** Left out: always. */
  readonly ask?: AskChoice | undefined;
  readonly answers?: TermsAnswers | undefined;
}

/** Terms of a whole project. */
export interface ProjectTerms extends Terms {
  /** Whom an admin asks about the project; nothing follows from it. */
  readonly contact?: string | undefined;
}

/** @param places the nearest first; of the answers, each state counts by itself */
export const nearestTerms = (places: readonly Terms[]): Terms => {
  const ask = places.find((terms) => terms.ask !== undefined)?.ask;
  const answers = places.reduceRight<TermsAnswers>((farther, terms) => ({ ...farther, ...terms.answers }), {});
  return { answers, ...(ask !== undefined && { ask }) };
};
