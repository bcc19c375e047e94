/** Waiting reasons for people, with names beside IDs and with their start. */
import { isWaitForNamed } from '../../rules/obstacles/waits';
import { namingProjects } from '../../rules/words/names';
import type { WaitingBody } from '../schemas/waiting-schema';
import type { NamedDetail } from '../showing/name-projects';

/** A reason before names are looked up. */
export interface WaitingReason extends Pick<WaitingBody, 'waiting_for' | 'who' | 'subject' | 'remaining_seconds'> {
  /** The group's ID, when `subject` is a group's name. */
  readonly subjectId?: string | undefined;
  /** The cloud's words about it. */
  readonly because?: string | undefined;
  readonly since?: Date | undefined;
}

type NamedRecords = Pick<NamedDetail, 'hosts' | 'instances' | 'openQuestions' | 'projectNames'>;

export const nameWaiting = ({ hosts, instances, openQuestions, projectNames }: NamedRecords) => {
  const nameOf = new Map([
    ...projectNames,
    ...hosts.map(({ hostname }) => [hostname, hostname] as const),
    ...instances.map(({ instanceId, instanceName }) => [instanceId, instanceName] as const),
  ]);
  const ids = new Set([
    ...instances.flatMap(({ instanceId, projectId }) => [instanceId, projectId]),
    ...openQuestions.map(({ projectId }) => projectId),
  ]);
  return ({ since, subjectId, because, ...reason }: WaitingReason): WaitingBody => ({
    ...reason,
    ...(because !== undefined && { because: namingProjects(because, projectNames) }),
    who_name: nameOf.get(reason.who) ?? null,
    subject_id: subjectId ?? (ids.has(reason.subject) ? reason.subject : null),
    // A host may belong to another session.
    subject_name:
      nameOf.get(reason.subject) ?? (isWaitForNamed(reason) ? groupName(reason.subject, projectNames) : null),
    since: since?.toISOString() ?? null,
  });
};

/** Instances without constraints form a group by project and flavor, so its name has both. */
export const groupName = (name: string, projectNames: ReadonlyMap<string, string>): string => {
  const [projectId = '', ...flavor] = name.split('/');
  const project = projectNames.get(projectId);
  return project === undefined ? name : [project, ...flavor].join('/');
};
