/** The members and limits of groups, from the rows of instances and of constraints. */
import { type Noted, number, type Row, text } from './noted';
import type { TracedGroup, TracedInstance, TraceEvent } from './trace';

/** The facts so far. They change as notes are read. */
export interface Constraints {
  readonly instances: Map<string, Row>;
  readonly stored: Map<string, Row>;
  readonly impactShare: number | undefined;
}

export const eventsOfConstraints = (constraints: Constraints, note: Noted): TraceEvent[] => {
  switch (note.source) {
    case 'group_constraint':
      return [{ t: note.at, event: 'limits', as: limitsOf(note) }];
    case 'sim_group':
      return [{ t: note.at, event: 'limits', as: cloudLimitsOf(note) }];
    case 'instance_constraint':
      return membershipChanged(constraints, note);
    case 'sim_instance':
      return instanceChanged(constraints, note);
    default:
      return [];
  }
};

/** Without stored limits one member at a time. */
const limitsOf = ({ old, new: row }: Noted): TracedGroup => {
  const id = text(row ?? old, 'group_id');
  if (!row) return { id, maxImpactedMembers: 1, recoverySeconds: 0 };
  return {
    id,
    maxImpactedMembers: number(row, 'max_impacted_members'),
    recoverySeconds: number(row, 'recovery_time'),
    ...(row['anti_affinity_group'] === true && { maxPerHost: number(row, 'max_instances_per_host') }),
  };
};

const cloudLimitsOf = ({ old, new: row }: Noted): TracedGroup => ({
  id: cloudIdOf(text(row ?? old, 'group_id')),
  maxImpactedMembers: Infinity,
  recoverySeconds: 0,
  ...(row?.['anti_affinity'] === true && { maxPerHost: number(row, 'max_instances_per_host') }),
});

const cloudIdOf = (groupId: string): string => `${groupId} of the cloud`;

const membershipChanged = (constraints: Constraints, { at, old, new: row }: Noted): TraceEvent[] => {
  const id = text(row ?? old, 'instance_id');
  if (row) constraints.stored.set(id, row);
  else constraints.stored.delete(id);
  const instance = constraints.instances.get(id);
  return instance ? told(constraints, instance, { t: at, event: 'constraints' }) : [];
};

const instanceChanged = (constraints: Constraints, { at, old, new: row }: Noted): TraceEvent[] => {
  if (row) constraints.instances.set(text(row, 'instance_id'), row);
  if (row && !old) return told(constraints, row, { t: at, event: 'appear' });
  if (old && !row) return [{ t: at, event: 'vanish', instance: text(old, 'instance_id') }];
  return [];
};

const told = (constraints: Constraints, row: Row, event: TraceEvent): TraceEvent[] => {
  const as = instanceOf(row, constraints.stored.get(text(row, 'instance_id')));
  const { impactShare } = constraints;
  if (constraints.stored.has(as.id) || impactShare === undefined) return [{ ...event, as }];
  const limits: TracedGroup = { id: as.groupId, maxImpactedMembers: 1, recoverySeconds: 0, impactShare };
  return [
    { t: event.t, event: 'limits', as: limits },
    { ...event, as },
  ];
};

/** Without constraints the instances of one flavor of a project are a group, and the question names its window. */
const instanceOf = (row: Row, constraint: Row | undefined): TracedInstance => ({
  id: text(row, 'instance_id'),
  groupId: constraint ? text(constraint, 'group_id') : `${text(row, 'project_id')}/${text(row, 'flavor')}`,
  ...(text(row, 'group_id') !== '' && { cloudGroupIds: [cloudIdOf(text(row, 'group_id'))] }),
  host: text(row, 'host'),
  vcpus: number(row, 'vcpus'),
  memoryMb: number(row, 'memory_mb'),
  amounts: row['amounts'] as Readonly<Record<string, number>>,
  needs: row['needs'] as readonly string[],
  ...(constraint && { leadSeconds: number(constraint, 'lead_time') }),
});
