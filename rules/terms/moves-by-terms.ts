/** Foretells the answers of terms to later questions, for whoever expects how long a session takes. */
import { whyByProject } from '../cloud/departure';
import { keyOf } from '../cloud/id';
import type { Action, Instance, MoveByTerms, SessionState } from '../decisions/fleet/fleet';
import type { ViewOfInstance } from '../decisions/fleet/seen-through';
import { type AnswerByTerms, answerByTerms, type AskedOfTerms, type KnownTerms } from './answer-by-terms';

/**
 * Tells of each instance what terms answer to a question about it alone. Undefined: there are no terms. An instance has
 * its hours already where its session keeps them.
 */
export const movesByTerms = (
  known: KnownTerms,
  { offered }: { readonly offered: readonly Action[] },
): ViewOfInstance | undefined => {
  if (known.projects.size + known.instances.size === 0) return undefined;
  return (instance) => {
    const byTerms = moveByTerms(instance, known, offered);
    return byTerms === undefined ? instance : { ...instance, byTerms };
  };
};

const moveByTerms = (
  instance: Pick<Instance, 'id' | 'projectId' | 'departure' | 'ownerTimes'>,
  known: KnownTerms,
  offered: readonly Action[],
): MoveByTerms | undefined => {
  const { id, projectId } = instance;
  const why = whyByProject(instance);
  const answer = answerByTerms(
    {
      projectId,
      state: 'PLANNED_MAINTENANCE',
      instanceIds: [id],
      isInHours: ({ hours }) => hours === undefined || instance.ownerTimes?.hours !== undefined,
      ...(why === undefined
        ? { allowedActions: offered }
        : { allowedActions: ['OWN_ACTION'], cannotMove: { [id]: why } }),
    },
    known,
  );
  if (answer === undefined) return undefined;
  const action = answer.actions[id];
  return { atOnce: answer.atOnce, ...(action !== undefined && { action }) };
};

/** A state in which projects are asked as a whole. */
export type WholeState = Extract<SessionState, 'MAINTENANCE' | 'SCALE_IN' | 'MAINTENANCE_COMPLETE'>;

/** IDs of the projects for which a session does not wait, by the state of the question: their terms answer at once. */
export type AnsweredAtOnce = Readonly<Record<WholeState, readonly string[]>>;

/** @param instances those that a session is about */
export const answeredAtOnce = (
  instances: readonly Pick<Instance, 'id' | 'projectId'>[],
  known: KnownTerms,
  isInHours: NonNullable<AskedOfTerms['isInHours']>,
): AnsweredAtOnce => {
  const ofProjects = [...Map.groupBy(instances, ({ projectId }) => keyOf(projectId)).values()];
  const asked = ofProjects.map((own) => ({
    projectId: own[0]?.projectId ?? '',
    instanceIds: own.map(({ id }) => id),
    allowedActions: [],
    isInHours,
  }));
  const projectsIn = (state: WholeState): readonly string[] =>
    asked.filter((question) => isOverAtOnce(state, answerByTerms({ ...question, state }, known))).map(idOf);
  return {
    MAINTENANCE: projectsIn('MAINTENANCE'),
    SCALE_IN: projectsIn('SCALE_IN'),
    MAINTENANCE_COMPLETE: projectsIn('MAINTENANCE_COMPLETE'),
  };
};

const idOf = ({ projectId }: Pick<Instance, 'projectId'>): string => projectId;

/** A session waits for the capacity that terms promise. */
const isOverAtOnce = (state: WholeState, answer: AnswerByTerms | undefined): boolean =>
  answer?.atOnce === true && (state !== 'SCALE_IN' || answer.answer === 'NACK');
