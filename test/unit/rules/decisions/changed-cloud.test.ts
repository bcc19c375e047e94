/**
 * What hosts have and offer changes while a session runs: a resource is reported no more, a zone gets another name, an
 * aggregate gets another host. Each decision goes by what the cloud tells now.
 */
import type { Fleet, HostPhase } from '../../../../rules/decisions/fleet/fleet';
import { decideAllVnf } from '../../../../rules/steps/decide-all-vnf';
import {
  aFleet,
  aHost,
  aHostIn,
  anInstance,
  aSessionId,
  type HostFields,
  type InstanceFields,
} from '../../../builders/a-fleet';
import { decideDefault } from '../../../builders/decide-default';

interface Situation {
  /** The instance on host a, which is to be maintained. */
  readonly instance: InstanceFields;
  readonly a?: Omit<HostFields, 'work'>;
  readonly b?: HostFields;
  readonly c?: HostFields;
  /** A place on b was reserved for it before. */
  readonly isReserved?: boolean;
}

const hostC = { name: 'c', vcpus: 8 };

const fleetOf = (phase: HostPhase, { instance, a = {}, b = {}, c = {}, isReserved }: Situation): Fleet => ({
  ...aFleet({
    hosts: [aHostIn(phase, 'a', a), aHost({ name: 'b', ...b }), aHost({ ...hostC, ...c })],
    instances: [anInstance({ id: 'one', host: 'a', leadTimeSeconds: 0, ...instance })],
    ...(isReserved && { reservations: [{ instanceId: 'one', target: 'b' }] }),
  }),
  misfits: ['', 'zone b'].map((offers) => ({ needs: 'zone a', offers, lacks: 'zone a' })),
});

const decisionsOn = (fleet: Fleet) => {
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet } as const;
  const limits = { maxFailedHosts: 0, defaultImpactShare: 0.25 };
  const ready = new Map([['one', 'MIGRATE']] as const);
  return [decideDefault({ ...view, ready }, 0, limits), decideAllVnf(view, 0, limits).decision];
};

const targetsOf = (fleet: Fleet) => decisionsOn(fleet).map(({ admit }) => admit.map(({ target }) => target));

const fpga = { amounts: { FPGA: 1 } };
const inZoneA = { offers: 'zone a' };
const forZoneA = { needs: 'zone a' };

it.each<{ situation: string; now: Situation; target: string }>([
  { situation: 'nothing has changed', now: { instance: fpga, a: fpga, b: fpga, c: fpga }, target: 'c' },
  { situation: 'one host has it no more', now: { instance: fpga, a: fpga, b: fpga }, target: 'b' },
  { situation: 'its own host has it no more', now: { instance: fpga, b: fpga }, target: 'b' },
  {
    situation: 'the host where its place is reserved has it no more',
    now: { instance: fpga, a: fpga, c: fpga, isReserved: true },
    target: 'c',
  },
  {
    situation: 'the zone of another host was renamed',
    now: { instance: forZoneA, a: inZoneA, b: inZoneA, c: { offers: 'zone b' } },
    target: 'b',
  },
  {
    situation: 'the zone of its own host was renamed',
    now: { instance: forZoneA, a: { offers: 'zone b' }, b: inZoneA },
    target: 'b',
  },
  {
    situation: 'the host where its place is reserved was taken out of the zone',
    now: { instance: forZoneA, a: inZoneA, c: inZoneA, isReserved: true },
    target: 'c',
  },
])('an instance goes to $target where $situation', ({ now, target }) => {
  expect(targetsOf(fleetOf('emptying', now))).toEqual([[target], [target]]);
});

it.each<{ situation: string; now: Situation; failure: string }>([
  {
    situation: 'no host has a resource any more',
    now: { instance: fpga },
    failure:
      'needs 4 vcpus, 4096 MB of memory and 1 FPGA: no other enabled compute host is that large, even empty; hosts b and c lack 1 FPGA',
  },
  {
    situation: 'no host is in its zone any more',
    now: { instance: forZoneA, a: inZoneA, b: { offers: 'zone b' } },
    failure: 'hosts b and c lack zone a',
  },
])('begins nothing where $situation, gives back what it had begun, and names it', ({ now, failure }) => {
  for (const decision of decisionsOn(fleetOf('emptying', { ...now, isReserved: true }))) {
    expect(decision).toMatchObject({ admit: [], giveBackForDeadlock: ['a'] });
  }
  for (const decision of decisionsOn(fleetOf('waiting', now))) {
    expect(decision).toMatchObject({ drain: [], failure: expect.stringContaining(failure) as string });
  }
});

it('takes a host for full of a resource that it has no more and that something there still holds', () => {
  const there = anInstance({ id: 'two', host: 'c', vcpus: 0, ...fpga });
  const { instances, ...rest } = fleetOf('emptying', { instance: {}, a: fpga, b: fpga });
  const fleet = { ...rest, instances: [...instances, there] };
  expect(targetsOf(fleet)).toEqual([['c'], ['c']]);
  const alsoNeedsOne = {
    ...fleet,
    instances: fleet.instances.map((one) => ({ ...one, amounts: { ...one.amounts, FPGA: 1 } })),
  };
  expect(targetsOf(alsoNeedsOne)).toEqual([['b'], ['b']]);
});
