/** Valid hosts, instances, groups, claims and fleets as decisions see them; a test names only what it is about. */
import type { Amounts } from '../../rules/cloud/amounts';
import { movesElsewhere } from '../../rules/cloud/departure';
import type { Claim, Fleet, Group, Host, HostPhase, HostWork, Instance } from '../../rules/decisions/fleet/fleet';
import { keptByService } from '../../rules/decisions/fleet/limit-keys';
import { defaultActionOf } from '../../rules/questions/action-by-answer';
import { simulatedActions } from '../../rules/simulation/simulated-actions';

/** The session that builders give hosts and claims to. */
export const aSessionId = '5e551011-0000-4000-8000-000000000001';
export const anotherSessionId = '5e551011-0000-4000-8000-000000000002';

/** The two resources that most tests are about; `amounts` has others. */
export interface Size {
  readonly vcpus?: number;
  readonly memoryMb?: number;
  readonly amounts?: Amounts;
}

/** A size that is named counts before `amounts`, and both before the usual one. */
const amountsOf = (
  { vcpus, memoryMb, amounts }: { [Field in keyof Size]: Size[Field] | undefined },
  usual: Amounts,
): Amounts => ({
  ...usual,
  ...amounts,
  ...(vcpus !== undefined && { VCPU: vcpus }),
  ...(memoryMb !== undefined && { MEMORY_MB: memoryMb }),
});

export type HostFields = Partial<Host> & Size;
export type InstanceFields = Partial<Instance> & Size;

/** An enabled compute of 16 vcpus outside any session. */
export const aHost = ({ vcpus, memoryMb, amounts, ...fields }: HostFields = {}): Host => ({
  name: 'host-1',
  type: 'compute',
  isCompute: true,
  enabled: true,
  ...fields,
  amounts: amountsOf({ vcpus, memoryMb, amounts }, { VCPU: 16, MEMORY_MB: 32_768 }),
});

export const someWork = (fields: Partial<HostWork> = {}): HostWork => ({
  sessionId: aSessionId,
  phase: 'waiting',
  disabled: false,
  disabledBefore: false,
  announced: false,
  releases: 0,
  ...fields,
});

/** A host of the session in the given phase; enabled unless it is under work. */
export const aHostIn = (
  phase: HostPhase,
  name: string,
  fields: Omit<HostFields, 'work'> & { work?: Partial<HostWork> } = {},
): Host => {
  const disabled = phase === 'emptying' || phase === 'maintaining';
  const work = someWork({ phase, disabled, announced: phase === 'maintaining', ...fields.work });
  return aHost({ name, enabled: !disabled, ...fields, work });
};

/** A controller that holds no instances. */
export const aController = (phase: HostPhase, name: string): Host =>
  aHostIn(phase, name, { type: 'controller', isCompute: false });

/** An instance of 4 vcpus without constraints. */
export const anInstance = ({ vcpus, memoryMb, amounts, ...fields }: InstanceFields = {}): Instance => {
  const id = fields.id ?? 'instance-1';
  return {
    id,
    name: `name of ${id}`,
    projectId: 'project-1',
    host: 'host-1',
    groupKey: 'group-1',
    departure: movesElsewhere,
    defaultAction: defaultActionOf(simulatedActions, fields.migrationType),
    ...fields,
    amounts: amountsOf({ vcpus, memoryMb, amounts }, { VCPU: 4, MEMORY_MB: 4096 }),
  };
};

/** Nobody told how many of its members may be impacted at once. */
export const nobodyTold = { kind: 'service', limit: 'share' } as const;
/** The cloud keeps the limit, and no program changes it. */
export const ofTheCloud = { kind: 'cloud', isSteered: false } as const;

export const aGroup = (fields: Partial<Group> = {}): Group => ({
  key: 'group-1',
  id: `ID of ${fields.key ?? 'group-1'}`,
  name: `name of ${fields.key ?? 'group-1'}`,
  maxImpactedMembers: 1,
  recoveryTimeSeconds: 0,
  keptBy: keptByService,
  ...fields,
});

/** A claim of an instance that is on the move from host-1 to host-2. */
export const aClaim = ({ vcpus, memoryMb, amounts, ...fields }: Partial<Claim> & Size = {}): Claim => ({
  id: `claim of ${fields.instanceId ?? 'instance-1'}`,
  sessionId: aSessionId,
  instanceId: 'instance-1',
  groupKey: 'group-1',
  phase: 'moving',
  source: 'host-1',
  target: 'host-2',
  action: 'LIVE_MIGRATE',
  ...fields,
  amounts: amountsOf({ vcpus, memoryMb, amounts }, { VCPU: 4, MEMORY_MB: 4096 }),
});

/** A fleet of these, with a group of one impacted member for every group that is named and not given. */
export const aFleet = (fields: Partial<Fleet> = {}): Fleet => {
  const { hosts = [], instances = [], groups = [], claims = [], reservations = [] } = fields;
  const known = new Set(groups.map(({ key }) => key));
  const missing = new Set([...instances, ...claims].map(({ groupKey }) => groupKey).filter((key) => !known.has(key)));
  return { hosts, instances, claims, reservations, groups: [...groups, ...[...missing].map((key) => aGroup({ key }))] };
};
