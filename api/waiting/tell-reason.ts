/** Tells a reason as the API does: with names beside IDs, its start, and the time that is left. */
import { isWaitForNamed } from '../../rules/reasons/in-words';
import type { Reason } from '../../rules/reasons/reason';
import { namingProjects } from '../../rules/words/names';
import type { WaitingBody } from '../schemas/waiting-schema';
import type { NamedDetail } from '../showing/name-projects';
import { secondsUntil } from '../showing/seconds-until';

type NamedRecords = Pick<NamedDetail, 'hosts' | 'instances' | 'openQuestions' | 'projectNames' | 'now'>;

export const tellReason = ({ hosts, instances, openQuestions, projectNames, now }: NamedRecords) => {
  const nameOf = new Map([
    ...projectNames,
    ...hosts.map(({ hostname }) => [hostname, hostname] as const),
    ...instances.map(({ instanceId, instanceName }) => [instanceId, instanceName] as const),
  ]);
  const ids = new Set([
    ...instances.flatMap(({ instanceId, projectId }) => [instanceId, projectId]),
    ...openQuestions.map(({ projectId }) => projectId),
  ]);
  return (reason: Reason): WaitingBody => {
    const { waitingFor: waiting_for, who, subject, because, help, owner, sinceMs, untilMs } = reason;
    // A host may belong to another session.
    const named = isWaitForNamed({ waiting_for }) ? groupName(subject, projectNames) : null;
    return {
      waiting_for,
      who,
      who_name: nameOf.get(who) ?? null,
      subject,
      subject_id: groupIdOf(reason) ?? (ids.has(subject) ? subject : null),
      subject_name: nameOf.get(subject) ?? named,
      since: sinceMs === undefined ? null : new Date(sinceMs).toISOString(),
      ...(because !== undefined && { because: namingProjects(because, projectNames) }),
      ...(help !== undefined && { help: namingProjects(help, projectNames) }),
      ...(owner !== undefined && { owner }),
      remaining_seconds: secondsLeft(untilMs, now),
      ...tellLimit(reason),
    };
  };
};

const secondsLeft = (untilMs: number | undefined, now: Date): number | null =>
  untilMs === undefined ? null : (secondsUntil(new Date(untilMs), now) ?? 0);

const groupIdOf = (reason: Reason): string | undefined => ('subjectId' in reason ? reason.subjectId : undefined);

const tellLimit = (reason: Reason): Pick<WaitingBody, 'limit'> => {
  if (!('limit' in reason) || reason.limit === undefined) return {};
  const { max, occupied, occupiedBy, isOfCloud } = reason.limit;
  return { limit: { max, kept_by: isOfCloud ? 'cloud' : 'service', occupied, occupied_by: [...occupiedBy] } };
};

/** Instances without constraints form a group by project and flavor, so its name has both. */
export const groupName = (name: string, projectNames: ReadonlyMap<string, string>): string => {
  const [projectId = '', ...flavor] = name.split('/');
  const project = projectNames.get(projectId);
  return project === undefined ? name : [project, ...flavor].join('/');
};
