/** Seeded bugs: each puts one wrong function into decisions, and the checker has to find the rule that it breaks. */
import type { Admission, Decision } from '../../rules/decisions/decision';
import type * as Sizes from '../../rules/decisions/fleet/capacity';
import type * as DoubleAllocation from '../../rules/decisions/fleet/double-allocation';
import type { Claim, Host, Instance } from '../../rules/decisions/fleet/fleet';
import type * as HostWork from '../../rules/decisions/fleet/host-work';
import type * as LimitKeys from '../../rules/decisions/fleet/limit-keys';
import type * as DefaultImpact from '../../rules/decisions/limits/default-impact';
import type * as Budgets from '../../rules/decisions/limits/impact';
import type * as Limits from '../../rules/decisions/limits/limits-of-instance';
import type * as Capacities from '../../rules/decisions/model/fleet-capacity';
import type * as Live from '../../rules/decisions/model/fleet-model';
import type * as HostContent from '../../rules/decisions/model/host-content';
import type * as DecideVnf from '../../rules/decisions/vnf/decide-vnf';
import { type Finding, findings, replace, type Seed } from './run-mutant';

interface Mutant {
  readonly bug: string;
  readonly seed: Seed;
  readonly found: Finding;
}

const fits = (hasCapacityFor: typeof Sizes.hasCapacityFor): Seed =>
  replace<typeof Sizes>('fleet/capacity', () => ({ hasCapacityFor }));
const work = (wrong: (right: typeof HostWork) => Partial<typeof HostWork>): Seed => replace('fleet/host-work', wrong);
const content = (wrong: (right: typeof HostContent) => Partial<typeof HostContent>): Seed =>
  replace('model/host-content', wrong);
const index = (wrong: (right: typeof LimitKeys) => Partial<typeof LimitKeys>): Seed =>
  replace('fleet/limit-keys', wrong);
const holding = (hostsHolding: typeof DoubleAllocation.hostsHolding): Seed =>
  replace<typeof DoubleAllocation>('fleet/double-allocation', () => ({ hostsHolding }));
const budget = (wrong: (right: typeof Budgets) => Partial<typeof Budgets>): Seed => replace('limits/impact', wrong);
const limits = (wrong: (right: typeof Limits) => Partial<typeof Limits>): Seed =>
  replace('limits/limits-of-instance', wrong);
const model = (wrong: (right: typeof Live.FleetModel) => typeof Live.FleetModel): Seed =>
  replace<typeof Live>('model/fleet-model', ({ FleetModel }) => ({ FleetModel: wrong(FleetModel) }));
const capacity = (wrong: (right: typeof Capacities.FleetCapacity) => typeof Capacities.FleetCapacity): Seed =>
  replace<typeof Capacities>('model/fleet-capacity', ({ FleetCapacity }) => ({ FleetCapacity: wrong(FleetCapacity) }));

type Facts = Parameters<typeof DecideVnf.decideVnf>[0];

/** Changes the decision where it is carried out. */
const decision = (change: (right: Decision, facts: Facts) => Partial<Decision>): Seed =>
  replace<typeof DecideVnf>('vnf/decide-vnf', ({ decideVnf }) => ({
    decideVnf: (facts) => {
      const right = decideVnf(facts);
      return right.next || right.failure ? right : { ...right, ...change(right, facts) };
    },
  }));

/** Each admission is changed. */
const admission = (change: (right: Admission, facts: Facts) => Partial<Admission>): Seed =>
  decision(({ admit }, facts) => ({ admit: admit.map((right) => ({ ...right, ...change(right, facts) })) }));

/** An instance that always goes wrong would be admitted for ever: it does the first time. */
const firstAdmission = (change: (right: Admission, facts: Facts) => Partial<Admission>): Seed => {
  const admitted = new WeakMap<Facts['model'], Set<string>>();
  return admission((right, facts) => {
    const before = admitted.get(facts.model) ?? new Set();
    admitted.set(facts.model, before);
    if (before.has(right.instanceId)) return {};
    before.add(right.instanceId);
    return change(right, facts);
  });
};

const own = ({ model: { hosts } }: Facts, phase: string): Host[] => hosts.filter(({ work }) => work?.phase === phase);
const namesOf = (hosts: readonly Host[]): string[] => hosts.map(({ name }) => name);

/** An instance that has a place and no budget. */
const another = ({ model: { reservedTarget, instanceById, claimByInstance, hostByName } }: Facts): Instance[] =>
  [...reservedTarget.keys()]
    .flatMap((id) => instanceById.get(id) ?? [])
    .filter(({ id, host }) => !claimByInstance.has(id) && hostByName.get(host)?.work?.disabled)
    .slice(0, 1);

const asked = ({ id, groupKey, host }: Instance, target: string): Admission => ({
  kind: 'ask',
  instanceId: id,
  groupKey,
  source: host,
  target,
  action: 'LIVE_MIGRATE',
});

/** The vcpus come first, then the memory. */
const amountIn = (capacity: readonly number[], at: 0 | 1): number => capacity[at] ?? 0;

const mutants: readonly Mutant[] = [
  {
    bug: 'anti-affinity is not looked at',
    seed: limits(() => ({ limitAgainst: () => undefined })),
    found: 'R4',
  },
  {
    bug: 'a host may hold one member more than max_instances_per_host',
    seed: limits(({ limitAgainst }) => ({
      limitAgainst: (groups, members) =>
        limitAgainst(groups, new Map([...members].map(([key, count]) => [key, count - 1]))),
    })),
    found: 'R4',
  },
  {
    bug: 'anti-affinity is lost with the group that is looked up',
    seed: index(({ groupOfKey }) => ({
      groupOfKey: (...asked) => {
        const { key, name, maxImpactedMembers, recoveryTimeSeconds, keptBy } = groupOfKey(...asked);
        return { key, name, maxImpactedMembers, recoveryTimeSeconds, keptBy };
      },
    })),
    found: 'R4',
  },
  {
    bug: 'only the limits of its own group hold for an instance',
    seed: index(() => ({ limitKeysOf: ({ groupKey }) => [groupKey] })),
    found: 'R4',
  },
  {
    bug: 'what the cloud keeps apart is forgotten where it is looked up',
    seed: limits(({ limitsOf }) => ({ limitsOf: (...asked) => limitsOf(...asked).slice(0, 1) })),
    found: 'R4',
  },
  { bug: 'memory is not looked at', seed: fits((free, size) => amountIn(free, 0) >= amountIn(size, 0)), found: 'R3' },
  { bug: 'vcpus are not looked at', seed: fits((free, size) => amountIn(free, 1) >= amountIn(size, 1)), found: 'R3' },
  {
    bug: 'a host may be overbooked by one vcpu',
    seed: fits((free, size) => amountIn(free, 0) + 1 >= amountIn(size, 0)),
    found: 'R3',
  },
  { bug: 'every host has capacity', seed: fits(() => true), found: 'R3' },
  { bug: 'room at the target is not held', seed: holding(({ host }) => [host]), found: 'R3' },
  {
    bug: 'room is held from the move on, not from the question',
    seed: holding(({ host }, claim) => (claim?.phase === 'moving' ? [host, claim.target] : [host])),
    found: 'R3',
  },
  {
    bug: 'what was placed before is forgotten by what is placed next',
    seed: capacity(
      (FleetCapacity) =>
        class extends FleetCapacity {
          override hold(): void {}
        },
    ),
    found: 'R3',
  },
  {
    bug: 'room that was left is never free again',
    seed: capacity(
      (FleetCapacity) =>
        class extends FleetCapacity {
          override drop(): void {}
        },
    ),
    found: 'R6',
  },
  {
    bug: 'every instance goes to the first host that is enabled',
    seed: admission((right, { model: { hosts } }) => ({
      target:
        hosts.find(({ name, enabled, isCompute }) => enabled && isCompute && name !== right.source)?.name ??
        right.target,
    })),
    found: 'R3',
  },
  {
    bug: 'an instance goes to the host it is on',
    seed: firstAdmission(({ source }) => ({ target: source })),
    found: 'R6',
  },
  {
    bug: 'an instance goes to a controller',
    seed: work(({ isTarget }) => ({ isTarget: (host) => isTarget({ ...host, isCompute: true }) })),
    found: 'R6',
  },
  {
    bug: 'an instance goes to a host that is under work',
    seed: firstAdmission(({ source, target }, facts) => ({
      target: namesOf(own(facts, 'emptying')).find((name) => name !== source) ?? target,
    })),
    found: 'R5',
  },
  {
    bug: 'hosts in maintenance are targets',
    seed: work(({ isTarget, isInPhase }) => ({
      isTarget: (host) => isTarget(host) || (host.isCompute && isInPhase('maintaining')(host)),
    })),
    found: 'R5',
  },
  {
    bug: 'a host is opened that instances are on their way to',
    seed: decision(({ drain }, facts) => ({
      drain: [
        ...new Set([
          ...drain,
          ...namesOf(own(facts, 'waiting').filter(({ name }) => facts.model.incomingByHost.has(name))),
        ]),
      ],
    })),
    found: 'R5',
  },
  { bug: 'a host is begun that is not empty', seed: content(() => ({ isVacated: () => true })), found: 'R5' },
  {
    bug: 'a host is begun when its last instance has begun to move',
    seed: content(() => ({
      isVacated: ({ instancesByHost, claimByInstance }, { name }) =>
        (instancesByHost.get(name) ?? []).every(({ id }) => claimByInstance.has(id)),
    })),
    found: 'R5',
  },
  {
    bug: 'a host is given back in its maintenance',
    seed: decision((_right, facts) => ({
      giveBackForDeadlock: namesOf(own(facts, 'maintaining').filter(({ work }) => work?.releases === 0)),
    })),
    found: 'R5',
  },
  {
    bug: 'a host is begun before it is disabled',
    seed: decision(({ drain, begin }, facts) => ({
      drain: drain.filter((name) => facts.model.instancesByHost.has(name)),
      begin: [...begin, ...drain.filter((name) => !facts.model.instancesByHost.has(name))],
    })),
    found: 'R5',
  },
  {
    bug: 'a host is maintained twice',
    seed: decision(({ begin }, facts) => ({
      begin: own(facts, 'waiting').length > 0 ? [...begin, ...namesOf(own(facts, 'maintained'))] : begin,
    })),
    found: 'R6',
  },
  {
    bug: 'the session is done when its first host is',
    seed: decision((_right, facts) => (own(facts, 'maintained').length > 0 ? { next: 'MAINTENANCE_COMPLETE' } : {})),
    found: 'R6',
  },
  {
    bug: 'an instance is admitted twice',
    seed: decision(({ admit }) => ({ admit: admit.flatMap((one) => [one, one]) })),
    found: 'R6',
  },
  {
    bug: 'where an instance has moved to is not noted',
    seed: model(
      (FleetModel) =>
        class extends FleetModel {
          override setInstance(): void {}
        },
    ),
    found: 'never ends',
  },
  {
    bug: 'a claim is never closed',
    seed: model(
      (FleetModel) =>
        class extends FleetModel {
          override removeClaim(): void {}
        },
    ),
    found: 'R6',
  },
  {
    bug: 'nobody is asked',
    seed: admission(() => ({ kind: 'move' })),
    found: 'R1',
  },
  {
    bug: 'who was asked is not impacted before the move',
    seed: model(
      (FleetModel) =>
        class extends FleetModel {
          constructor(...facts: ConstructorParameters<typeof FleetModel>) {
            super(...facts);
            this.groups.impactedMembers = (groupKey) => {
              const claims = [...this.claimByInstance.values()];
              return claims.filter((claim) => claim.groupKey === groupKey && claim.phase !== 'asked').length;
            };
          }
        },
    ),
    found: 'R2',
  },
  {
    bug: 'one member more than max_impacted_members may be impacted',
    seed: budget(({ membersLeft }) => ({ membersLeft: (...asked) => membersLeft(...asked) + 1 })),
    found: 'R2',
  },
  { bug: 'max_impacted_members is not looked at', seed: budget(() => ({ membersLeft: () => 99 })), found: 'R2' },
  {
    bug: 'one is admitted beside those that the budget allows',
    seed: decision(({ admit }, facts) => ({
      admit: [
        ...admit,
        ...another(facts)
          .filter(({ id }) => !admit.some(({ instanceId }) => instanceId === id))
          .map((one) => asked(one, facts.model.reservedTarget.get(one.id) ?? '')),
      ],
    })),
    found: 'R2',
  },
  {
    bug: 'recovery_time is forgotten',
    seed: index(({ groupOfKey }) => ({
      groupOfKey: (...asked) => ({ ...groupOfKey(...asked), recoveryTimeSeconds: 0 }),
    })),
    found: 'R2',
  },
  {
    bug: 'a member that recovers is not counted',
    seed: model(
      (FleetModel) =>
        class extends FleetModel {
          override setClaim(claim: Claim): void {
            if (claim.phase === 'recovering') this.removeClaim(claim.instanceId);
            else super.setClaim(claim);
          }
        },
    ),
    found: 'R2',
  },
  {
    bug: 'a group without constraints may be impacted as a whole',
    seed: replace<typeof DefaultImpact>('limits/default-impact', ({ withDefaultImpact }) => ({
      withDefaultImpact: (fleet) => withDefaultImpact(fleet, 1),
    })),
    found: 'R2',
  },
  {
    bug: 'controllers are opened beside each other',
    seed: work(() => ({ controllerOut: () => undefined })),
    found: 'R8',
  },
  {
    bug: 'all controllers are opened at once',
    seed: decision(({ drain }, facts) => ({
      drain: [...new Set([...drain, ...namesOf(own(facts, 'waiting').filter(({ type }) => type === 'controller'))])],
    })),
    found: 'R8',
  },
  {
    bug: 'a place that is reserved is not kept',
    seed: model(
      (FleetModel) =>
        class extends FleetModel {
          override reserve(): void {}
        },
    ),
    found: 'never ends',
  },
];

describe('the checker', () => {
  it('finds nothing where decisions are right', () => {
    expect(findings()).toEqual([]);
  });

  it.each(mutants)('finds: $found, where $bug', ({ seed, found }) => {
    expect(findings(seed, found)).toContain(found);
  });
});
