import { forecastFactsOf } from '../../../../../rules/decisions/drain-order/forecast-facts';
import type { ForecastFacts } from '../../../../../rules/decisions/drain-order/stay';
import type { Group, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aFleet, aGroup, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const host = aHostIn('waiting', 'h-1');
const emptying = aHostIn('emptying', 'h-2');

const forecastOf = (group: Partial<Group>, instances: readonly Instance[]): ForecastFacts => {
  const fleet = aFleet({ hosts: [host, emptying], instances, groups: [aGroup(group)] });
  const limits = { defaultImpactShare: 0.25 };
  const model = new FleetModel(fleet, 0);
  return forecastFactsOf({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', model, nowMs: 0, limits }, [host]);
};

const members = (hostname: string, count: number): Instance[] =>
  Array.from({ length: count }, (_, number) => anInstance({ id: `${hostname}/${number}`, host: hostname, vcpus: 1 }));

describe('the turns that a host takes', () => {
  it.each([
    { what: 'its one member', count: 1, group: {}, turns: [{ queue: 0, seconds: 40, bearableSeconds: 0 }] },
    {
      what: 'a member whose group recovers',
      count: 1,
      group: { recoveryTimeSeconds: 60 },
      turns: [{ queue: 0, seconds: 100, bearableSeconds: 0 }],
    },
    {
      what: 'two members of which both may go',
      count: 2,
      group: { maxImpactedMembers: 2 },
      turns: [{ queue: 0, seconds: 40, bearableSeconds: 0 }],
    },
    {
      what: 'one member of which two may go: it bears one before it',
      count: 1,
      group: { maxImpactedMembers: 2 },
      turns: [{ queue: 0, seconds: 20, bearableSeconds: 20 }],
    },
    { what: 'no instance', count: 0, group: {}, turns: [] },
  ])('of $what', ({ count, group, turns }) => {
    expect(forecastOf(group, members('h-1', count)).waiting[0]?.turns).toEqual(turns);
  });

  it('come behind those of members on hosts that are being drained', () => {
    const { waiting, bookedSeconds } = forecastOf({}, [...members('h-1', 1), ...members('h-2', 3)]);
    expect(waiting[0]?.turns[0]?.queue).toBe(0);
    expect(bookedSeconds).toEqual([3 * 40]);
  });
});

it('counts each resource of every host in the same place, also where some hosts were seen without it', () => {
  const misfits = [{ needs: 'in a', offers: '', lacks: 'zone a' }];
  const hosts = [
    aHostIn('waiting', 'h-1', { offers: 'zone a' }),
    aHostIn('waiting', 'h-2', { amounts: { PCPU: 8 }, offers: 'zone a' }),
    aHostIn('waiting', 'h-3', { amounts: { PCPU: 2 } }),
  ];
  const model = new FleetModel({
    ...aFleet({ hosts, instances: [anInstance({ host: 'h-1', needs: 'in a' })] }),
    misfits,
  });
  const limits = { defaultImpactShare: 0.25 };
  const facts = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', model, nowMs: 0, limits } as const;
  const { waiting, free } = forecastFactsOf(facts, hosts);
  // Vcpus, memory and PCPU: those of all hosts, and those of zone a.
  expect(waiting.map(({ size }) => size)).toEqual([
    [16, 16, 32_768, 32_768],
    [16, 16, 32_768, 32_768, 8, 8],
    [16, 0, 32_768, 0, 2, 0],
  ]);
  expect(free).toEqual([44, 28, 94_208, 61_440, 10, 8]);
});
