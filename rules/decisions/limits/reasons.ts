/** The words for what is missing: the same in waiting reasons, failure, log and test. */
import type { Waiting } from '../../obstacles/waits';
import type { Group, Instance } from '../fleet/fleet';

/** What a host must have besides room, in words that follow the host; see `wantedBy` (model/classes.ts). */
export const having = (wanted: readonly string[]): string =>
  wanted.length === 0 ? '' : ` with ${wanted.join(' and ')}`;

/** The group for which something waits: its name and its ID, when it has a name. */
export const groupSubject = ({ id, name }: Group): Pick<Waiting, 'subject' | 'subjectId'> => {
  return id === undefined || id === name ? { subject: name } : { subject: name, subjectId: id };
};

/** Says why an instance that the cloud cannot move waits; see rules/decisions/fleet/fleet.ts, `Instance.cannotMove`. */
export const onlyOwnAction = (cannotMove: string): string => {
  return `the cloud does not move it, since ${cannotMove}: only its project can act (OWN_ACTION)`;
};

/** Further help, for a failed session. */
export const cannotBeMoved = (cannotMove: string): string => {
  return `${onlyOwnAction(cannotMove)}; let its manager answer OWN_ACTION in time and carry it out, or take away what keeps it there, then continue the session`;
};

/** Says which state of an instance keeps it where it is, and what would help. */
export const stateWords = ({ id, name, projectId, cannotMoveNow }: Instance): string => {
  const { because = 'of its state', help } = cannotMoveNow ?? {};
  const who = `instance ${name} (${id}) of project ${projectId} cannot be moved, since ${because}`;
  return help === undefined ? who : `${who}; ${help}`;
};

/** The reason why such an instance waits. */
export const reasonOfState = (instance: Instance): Waiting => {
  const { id, projectId, host, cannotMoveNow } = instance;
  const subject = cannotMoveNow?.owner === 'project' ? projectId : host;
  return { waitingFor: 'state', who: id, subject, because: stateWords(instance) };
};
