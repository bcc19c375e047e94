/** Projects that stored no constraints, and those that do not answer. */
import type { Fleet, Instance } from '../../planning/fleet/fleet';
import { isDone } from '../../planning/fleet/host-work';
import { keyOf } from '../../planning/fleet/id';
import { isAsked } from '../../planning/fleet/is-asked';
import { compareText } from '../../planning/fleet/ordered';
import type { BlockerFacts } from './blocker-facts';
import { expectedPace } from './expected-pace';
import type { Blocker, PlanInput } from './plan';

export const blockersOfProjects = ({ input, fleet }: Pick<BlockerFacts, 'input' | 'fleet'>): readonly Blocker[] => {
  const toDo = fleet.hosts.filter(({ work }) => work?.sessionId === input.sessionId && !isDone(work));
  const names = new Set(toDo.map(({ name }) => name));
  const leaving = fleet.instances.filter(({ host }) => names.has(host));
  const { isSilent } = expectedPace({ ...input, actions: [] }, 'expected');
  const byProject = Map.groupBy(leaving, ({ projectId }) => projectId);
  return [...byProject]
    .sort(([one], [other]) => compareText(one, other))
    .flatMap(([projectId, own]) => {
      const without = own.filter(({ leadTimeSeconds }) => leadTimeSeconds === undefined);
      return [
        ...(without.length > 0 ? [withoutConstraints(projectId, without, { input, fleet })] : []),
        ...(isSilent(projectId) && own.some(isAsked) ? [silent(projectId, input)] : []),
      ];
    });
};

const aboutProject = (projectId: string) =>
  ({ subject: { kind: 'project', id: projectId, name: projectId }, owner: 'project', projectId, when: 'now' }) as const;

const withoutConstraints = (
  projectId: string,
  instances: readonly Instance[],
  { input, fleet }: { readonly input: PlanInput; readonly fleet: Fleet },
): Blocker => ({
  ...{ kind: 'project_without_constraints', severity: 'note', ...aboutProject(projectId) },
  because:
    `project ${projectId} has ${instances.length} instance${instances.length === 1 ? '' : 's'} without constraints on ` +
    `the hosts, which get the default: ${defaultsOf(instances, fleet)}; it is asked with ${input.replySeconds} s to answer`,
  help: 'let its manager store constraints (PUT /v1/instance/{instance_id} and PUT /v1/instance_group/{group_id})',
});

const mostGroupsNamed = 3;

const defaultsOf = (instances: readonly Instance[], { groups }: Fleet): string => {
  const keys = new Set(instances.map(({ groupKey }) => groupKey));
  const own = groups.filter(({ key }) => keys.has(key));
  const named = own
    .slice(0, mostGroupsNamed)
    .map(({ name, maxImpactedMembers }) => `${maxImpactedMembers} at a time of ${name}`);
  const more = own.length - named.length;
  const actions = new Set(instances.map(({ defaultAction }) => defaultAction));
  return [...actions, ...named, ...(more > 0 ? [`and of ${more} more groups`] : [])].join(', ');
};

const silent = (projectId: string, { seen }: PlanInput): Blocker => {
  const share = seen.answers.find((one) => keyOf(one.projectId) === keyOf(projectId))?.silentShare ?? 1;
  return {
    ...{ kind: 'project_silent', severity: 'delays', ...aboutProject(projectId) },
    because: `project ${projectId} left ${Math.round(share * 100)} % of its last questions without an answer, so each takes its whole window`,
    help: 'see that its manager receives maintenance.planned and answers; or let it store lead_time 0, so that it is not asked',
  };
};
