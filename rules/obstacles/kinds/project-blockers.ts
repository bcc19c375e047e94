/** The blockers that are about a project: its instances, its groups, its answers. */
import { count } from '../../words/times';
import {
  aboutInstance,
  aboutProject,
  atTime,
  type BlockerKinds,
  fitsIntoNoHour,
  helpForAnswer,
  helpForHours,
  orLeaveOut,
  type Severity,
} from '../blocker';
import {
  fitsOnNoHost,
  heldByState,
  type HeldInstance,
  helpToAct,
  instanceWords,
  type NamedInstance,
  type NoHost,
} from '../immovable';

interface AboutProject {
  readonly projectId: string;
}

interface AnswerAwaited extends AboutProject {
  /** undefined: the project as a whole is asked. */
  readonly instanceId?: string | undefined;
  readonly state: string;
  readonly replyAtMs?: number | undefined;
}

interface AboutGroup {
  readonly id: string;
  readonly name: string;
  readonly projectId: string | undefined;
}

interface RefusedBefore extends AboutProject {
  readonly lastNack: 'fail' | 'skip_host' | 'pause';
}

const afterRefusal: Readonly<Record<RefusedBefore['lastNack'], string>> = {
  fail: 'the session fails',
  skip_host: 'the session skips the host',
  pause: 'the session pauses itself',
};

interface GroupNeverMet extends AboutGroup {
  readonly maxInstancesPerHost: number;
  readonly hosts: number;
  readonly slots: number;
  readonly members: number;
}

interface MembersAway extends AboutGroup {
  /** The number of members that find no place. */
  readonly away: number;
}

interface InstanceWithReason extends NamedInstance {
  readonly host: string;
  /** The reason, in words that follow "since". */
  readonly because: string;
}

interface InstanceThatMayBeRefused extends InstanceWithReason {
  readonly help: string;
}

interface InstanceHeldByState extends HeldInstance {
  readonly host: string;
  readonly severity: Severity;
}

interface InstanceThatEnds extends InstanceWithReason {
  readonly waitSeconds: number;
  /** False where it ends on its host, or the host cannot be drained. */
  readonly isMoved: boolean;
}

interface OutsideOwnerHours extends NamedInstance {
  readonly severity: Severity;
  /** Left out: it fits into no hour at all. */
  readonly beyond?: { readonly deadlineMs: number; readonly nextMs: number };
}

interface InstanceWithoutPlace extends NamedInstance {
  readonly host: string;
  /** A session may evict it all the same. */
  readonly isUpToSession: boolean;
  readonly severity: Severity;
  readonly tried: NoHost;
}

interface WithoutConstraints extends AboutProject {
  readonly instances: number;
  readonly defaults: string;
  readonly replySeconds: number;
}

const aboutGroup = ({ id, name, projectId }: AboutGroup) =>
  ({ subject: { kind: 'group', id, name }, owner: 'project', projectId }) as const;

const ofProject = ({ id, name, projectId }: NamedInstance) =>
  ({ ...aboutProject(projectId), ...aboutInstance(id, name) }) as const;

const named = ({ id, name }: NamedInstance): string => `instance ${name} (${id})`;

export const projectBlockers = {
  answer_awaited: ({ projectId, instanceId, state, replyAtMs }: AnswerAwaited) => ({
    ...aboutProject(projectId),
    ...(instanceId !== undefined && aboutInstance(instanceId, instanceId)),
    severity: 'delays',
    when: 'now',
    because:
      `project ${projectId} has not answered ${state} yet` +
      (replyAtMs === undefined ? '' : `; its window ends at ${atTime(replyAtMs)}`),
    help: helpForAnswer,
  }),

  /** Annotations, in a cloud that has them: as careful a value stands for each that cannot be read. */
  constraints_not_readable: ({ fault, ...group }: AboutGroup & { readonly fault: string }) => ({
    ...aboutGroup(group),
    severity: 'note',
    when: 'now',
    because: `${fault}; until then its project is asked, or one member is impacted at a time`,
    help: 'let its project write it in another way',
  }),

  group_never_met: ({ maxInstancesPerHost, hosts, slots, members, ...group }: GroupNeverMet) => ({
    ...aboutGroup(group),
    severity: 'stops',
    when: 'now',
    because:
      `group ${group.name} lets ${maxInstancesPerHost} of its members share a host: with one of ${hosts} ` +
      `usable compute hosts out there is place for ${slots} of its ${members} members`,
    help: 'let its project raise max_instances_per_host or scale the group in, or add or enable a compute host',
  }),

  instance_cannot_be_moved: ({ host, because, ...instance }: InstanceWithReason) => ({
    ...ofProject(instance),
    severity: 'delays',
    when: 'now',
    because: `the cloud does not move ${named(instance)} away from host ${host}, since ${because}`,
    help: helpToAct,
  }),

  instance_ends_by_itself: ({ host, because, waitSeconds, isMoved, ...instance }: InstanceThatEnds) => ({
    ...ofProject(instance),
    severity: 'delays',
    when: 'later',
    because:
      `${instanceWords(instance)} is waited for, since ${because}: ` +
      `at most for ${waitSeconds} s from the start of the drain of host ${host}, as the times of a plan expect` +
      (isMoved ? '' : '; it is kept, so if it has not ended then, its host cannot be drained'),
    help: 'let it end before, or give the session a shorter time (eviction.complete_within_seconds)',
  }),

  instance_ends_for_good: ({ host, because, ...instance }: InstanceWithReason) => ({
    ...ofProject(instance),
    severity: 'note',
    when: 'later',
    because: `the work of ${instanceWords(instance)} is lost for good when it leaves host ${host}, since ${because}`,
    help: `let it end before, let its project allow another try, ${orLeaveOut(host)}`,
  }),

  /** Its host is not begun before that has passed. */
  instance_held_by_state: ({ host, severity, ...instance }: InstanceHeldByState) => {
    const { help, ...cause } = heldByState(instance);
    return {
      ...aboutInstance(instance.id, instance.name),
      severity,
      when: 'now',
      projectId: instance.projectId,
      ...cause,
      help: `${help}, ${orLeaveOut(host)}; work on the host begins when the instance can be moved`,
    };
  },

  /** Its host goes last, and its move is asked for all the same. */
  instance_may_be_refused: ({ host, because, help, ...instance }: InstanceThatMayBeRefused) => ({
    ...ofProject(instance),
    severity: 'delays',
    when: 'later',
    because:
      `the cloud would refuse to move ${named(instance)} away from host ${host} now, since ${because}; ` +
      'the host goes last, and the instance is asked for until the limit of its move',
    help: `${help}, ${orLeaveOut(host)}`,
  }),

  instance_may_come_back: ({ host, because, ...instance }: InstanceWithReason) => ({
    ...ofProject(instance),
    severity: 'delays',
    when: 'later',
    because:
      `${named(instance)} may come back to host ${host} while that is drained, since ${because}; ` +
      'after a few times the host waits for its project',
    help: `let its project take that away, ${orLeaveOut(host)}`,
  }),

  instance_without_place: ({ host, severity, tried, isUpToSession, ...instance }: InstanceWithoutPlace) => {
    const { help, ...cause } = fitsOnNoHost([instance], tried, isUpToSession);
    return {
      ...aboutInstance(instance.id, instance.name),
      severity,
      when: 'now',
      ...cause,
      help: `${help}, ${orLeaveOut(host)}`,
    };
  },

  members_away_with_host: ({ away, ...group }: MembersAway) => ({
    ...aboutGroup(group),
    severity: 'note',
    when: 'later',
    because:
      `no other host may take ${count(away, 'member')} of group ${group.name} when their turn comes: ` +
      'each is away until its host is back',
    help: 'nothing has to be done; with another compute host that may take them, they would move',
  }),

  outside_owner_hours: ({ severity, beyond, ...instance }: OutsideOwnerHours) => ({
    ...ofProject(instance),
    severity,
    when: 'now',
    because: beyond
      ? `${named(instance)} fits into no hour of project ${instance.projectId} before the deadline ` +
        `${atTime(beyond.deadlineMs)}: the next one begins at ${atTime(beyond.nextMs)}`
      : `${fitsIntoNoHour(named(instance))}, project ${instance.projectId}`,
    help: helpForHours,
  }),

  project_silent: ({ projectId, percent }: AboutProject & { readonly percent: number }) => ({
    ...aboutProject(projectId),
    severity: 'delays',
    when: 'now',
    because: `project ${projectId} left ${percent} % of its last questions without an answer, so each takes its whole window`,
    help: 'see that its manager receives maintenance.planned and answers; or let it store lead_time 0, so that it is not asked',
  }),

  project_without_constraints: ({ projectId, instances, defaults, replySeconds }: WithoutConstraints) => ({
    ...aboutProject(projectId),
    severity: 'note',
    when: 'now',
    because:
      `project ${projectId} has ${instances} instance${instances === 1 ? '' : 's'} without constraints on ` +
      `the hosts, which get the default: ${defaults}; it is asked with ${replySeconds} s to answer`,
    help: 'let its manager store constraints (PUT /v1/instance/{instance_id} and PUT /v1/instance_group/{group_id})',
  }),

  /** A plan supposes that nobody refuses. */
  refused_before: ({ projectId, lastNack }: RefusedBefore) => ({
    ...aboutProject(projectId),
    severity: 'delays',
    when: 'later',
    because: `project ${projectId} has refused before; where it refuses as often as it is asked, ${afterRefusal[lastNack]}`,
    help: 'ask it before the session begins, or choose with reply_policy what follows',
  }),
} as const satisfies BlockerKinds;
