/**
 * Decides which questions terms answer, with what, and whether the project is waited for all the same. The question
 * then has an answer like that of a reply, and rules/questions/action-by-answer.ts says which action follows.
 */
import { type IdKey, keyOf } from '../cloud/id';
import { type MoveAnswer, nearestTerms, type StateOfMoves, type Terms, type TermsAnswers } from '../cloud/terms';
import type { Action, Instance } from '../decisions/fleet/fleet';

/** The terms of the projects and instances that a question is about. */
export interface KnownTerms {
  readonly projects: ReadonlyMap<IdKey, Terms>;
  /** Those in the constraints of instances, then of their groups, as far as there are any. */
  readonly instances: ReadonlyMap<IdKey, readonly Terms[]>;
}

/** The same, with these terms in place of the project's own. */
export const withTermsOfProject = ({ projects, instances }: KnownTerms, key: IdKey, terms: Terms): KnownTerms => ({
  instances,
  projects: new Map([...projects, [key, terms]]),
});

export const noTerms: KnownTerms = { projects: new Map(), instances: new Map() };

/** The facts of a question on which its answer by terms depends. */
export interface AskedOfTerms {
  readonly projectId: string;
  readonly state: string;
  readonly instanceIds: readonly string[];
  readonly allowedActions: readonly Action[];
  /** Reasons by the IDs of the instances that the cloud cannot move. */
  readonly cannotMove?: Readonly<Record<string, string>>;
  /** True where what is asked about happens in the hours of such terms; left out: nobody knows. */
  readonly isInHours?: (terms: Terms) => boolean;
}

export interface AnswerByTerms {
  readonly answer: 'ACK' | 'NACK';
  /** Actions by instance ID. An instance without one gets the default behaviour. */
  readonly actions: Readonly<Record<string, Action>>;
  /** False: only once the project has stayed silent. */
  readonly atOnce: boolean;
}

/** Undefined: the terms do not answer the question. They answer it only for all of its instances together. */
export const answerByTerms = (asked: AskedOfTerms, known: KnownTerms): AnswerByTerms | undefined => {
  switch (asked.state) {
    case 'MAINTENANCE':
      return answerAll(asked, termsOfEach(asked, known), ({ MAINTENANCE }) => MAINTENANCE);
    case 'SCALE_IN':
      // The project chooses what it gives up, also where the question names an instance.
      return answerAll(asked, [termsOfProject(asked, known)], ({ SCALE_IN }) => SCALE_IN);
    case 'MAINTENANCE_COMPLETE':
      return answerAll(asked, [termsOfProject(asked, known)], ({ MAINTENANCE_COMPLETE }) => MAINTENANCE_COMPLETE);
    case 'PREPARE_MAINTENANCE':
    case 'PLANNED_MAINTENANCE':
      return answerMoves(asked, known, asked.state);
    default:
      return undefined;
  }
};

/** The terms that count for an instance of the project. */
export const termsOfInstance = (
  { id, projectId }: Pick<Instance, 'id' | 'projectId'>,
  { projects, instances }: KnownTerms,
): Terms => nearestTerms([...(instances.get(keyOf(id)) ?? []), ...present(projects.get(keyOf(projectId)))]);

const termsOfProject = ({ projectId }: AskedOfTerms, { projects }: KnownTerms): Terms =>
  projects.get(keyOf(projectId)) ?? {};

const present = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

const termsOfEach = ({ projectId, instanceIds }: AskedOfTerms, known: KnownTerms): readonly Terms[] =>
  instanceIds.map((id) => termsOfInstance({ id, projectId }, known));

const isAtOnce =
  ({ isInHours = () => false }: AskedOfTerms) =>
  (terms: Terms): boolean =>
    terms.ask === 'never' || (terms.ask === 'outside_hours' && isInHours(terms));

/** A refusal by one is a refusal of all. */
const answerAll = (
  asked: AskedOfTerms,
  terms: readonly Terms[],
  answerOf: (answers: TermsAnswers) => 'ACK' | 'NACK' | undefined,
): AnswerByTerms | undefined => {
  const answers = terms.map((one) => answerOf(one.answers ?? {}));
  if (answers.length === 0 || answers.includes(undefined)) return undefined;
  return { answer: answers.includes('NACK') ? 'NACK' : 'ACK', actions: {}, atOnce: terms.every(isAtOnce(asked)) };
};

const answerMoves = (asked: AskedOfTerms, known: KnownTerms, state: StateOfMoves): AnswerByTerms | undefined => {
  const terms = termsOfEach(asked, known);
  const chosen = asked.instanceIds.map((id, at) => ({ id, answer: moveAnswerOf(terms[at] ?? {}, state) }));
  if (chosen.length === 0 || !chosen.every(({ id, answer }) => isAnswerTo(asked, id, answer))) return undefined;
  const actions = chosen.flatMap(({ id, answer }) =>
    typeof answer === 'object' ? [[id, answer.action] as const] : [],
  );
  return { answer: 'ACK', actions: Object.fromEntries(actions), atOnce: terms.every(isAtOnce(asked)) };
};

/** The answer of terms about a move in that state; undefined: they have none. */
export const moveAnswerOf = ({ answers = {} }: Terms, state: StateOfMoves): MoveAnswer | undefined =>
  answers[state] ?? answers.PLANNED_MAINTENANCE;

/** An instance that the cloud cannot move needs a project that acts itself, not one that leaves it to others. */
const isAnswerTo = (
  { allowedActions, cannotMove }: AskedOfTerms,
  instanceId: string,
  answer: MoveAnswer | undefined,
): boolean => {
  if (answer === undefined) return false;
  if (answer === 'ACK') return cannotMove?.[instanceId] === undefined;
  return allowedActions.includes(answer.action);
};
