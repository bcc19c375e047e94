/** Limits on hosts under work at once over zones, racks and other labels. */
import fc from 'fast-check';
import { type DomainLimits, whyNotBeside } from '../../../../../rules/decisions/both-workflows/fault-domains';
import { hostsNotDrainedBeside } from '../../../../../rules/decisions/both-workflows/waiting-reasons';
import type { Host } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aHostIn, aSessionId } from '../../../../builders/a-fleet';
import { vnfDecision } from '../../../../builders/vnf-decision';

const noon = Date.UTC(2026, 0, 1, 12);
const at = (name: string, labels?: Host['labels']): Host => aHostIn('waiting', name, labels && { labels });

it.each<{ situation: string; host: Host; domains: DomainLimits | undefined; because: string | undefined }>([
  { situation: 'there is no limit', host: at('x', { zone: 'a' }), domains: undefined, because: undefined },
  {
    situation: 'its zone is full',
    ...{ host: at('x', { zone: 'a' }), domains: { maxParallelPer: { zone: 2 } } },
    because: 'as many hosts with zone=a are under work as may be at once',
  },
  {
    situation: 'its zone has room',
    ...{ host: at('x', { zone: 'b' }), domains: { maxParallelPer: { zone: 2 } }, because: undefined },
  },
  {
    situation: 'its zone has room, and its rack has none',
    ...{ host: at('x', { zone: 'b', rack: 'r2' }), domains: { maxParallelPer: { zone: 2, rack: 1 } } },
    because: 'as many hosts with rack=r2 are under work as may be at once',
  },
  {
    situation: 'it has no zone, like another',
    ...{ host: at('x'), domains: { maxParallelPer: { zone: 1 } } },
    because: 'as many hosts without zone are under work as may be at once',
  },
  {
    situation: 'another zone is worked on',
    ...{ host: at('x', { zone: 'c' }), domains: { oneDomainAtATime: 'zone' } },
    because: 'one zone at a time, and hosts with zone=a are under work',
  },
  {
    situation: 'all are of its region',
    ...{ host: at('x', { region: 'e' }), domains: { oneDomainAtATime: 'region' }, because: undefined },
  },
])('a host may be under work unless a limit is reached: $situation', ({ host, domains, because }) => {
  const underWork = [
    at('a1', { zone: 'a', rack: 'r1', region: 'e' }),
    at('a2', { zone: 'a', rack: 'r2', region: 'e' }),
    at('none', { region: 'e' }),
  ];
  expect(whyNotBeside(host, underWork, domains)?.because).toBe(because);
});

it('a host that waits tells the limit, and who is under work', () => {
  const hosts = [
    aHostIn('maintaining', 'a1', { labels: { zone: 'a' } }),
    aHostIn('waiting', 'a2', { labels: { zone: 'a' } }),
  ];
  const fleet = { hosts, instances: [], groups: [], claims: [], reservations: [] };
  const limits = { defaultImpactShare: 0.25, domains: { maxParallelPer: { zone: 1 } } };
  const model = new FleetModel(fleet, noon);
  expect(
    hostsNotDrainedBeside({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', model, nowMs: noon, limits }),
  ).toEqual([
    {
      ...{ waitingFor: 'host', who: 'a2', subject: 'a1' },
      because: 'as many hosts with zone=a are under work as may be at once',
      limit: { max: 1, occupied: 1, occupiedBy: ['a1'] },
    },
  ]);
});

const anyHost = fc.record({
  zone: fc.constantFrom('a', 'b', undefined),
  rack: fc.constantFrom('r1', 'r2', 'r3'),
  phase: fc.constantFrom('waiting' as const, 'waiting' as const, 'maintained' as const, 'skipped' as const),
});

it('no decision puts more hosts under work than the limits let, until all are done', () => {
  const limits = { maxParallelPer: { zone: 2, rack: 1 } };
  fc.assert(
    fc.property(fc.array(anyHost, { minLength: 1, maxLength: 12 }), fc.boolean(), (facts, isOneRack) => {
      const domains = isOneRack ? { oneDomainAtATime: 'rack' } : limits;
      let hosts = facts.map(({ zone, rack, phase }, index) =>
        aHostIn(phase, `h-${index}`, { labels: { rack, ...(zone !== undefined && { zone }) } }),
      );
      for (let round = 0; round <= facts.length && hosts.some(({ work }) => work?.phase === 'waiting'); round += 1) {
        const fleet = { hosts, instances: [], groups: [], claims: [], reservations: [] };
        const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE' as const, fleet };
        const drained = new Set(vnfDecision(view, noon, { defaultImpactShare: 0.25, domains }).drain);
        const together = hosts.filter(({ name }) => drained.has(name));
        expect(together.length).toBeGreaterThan(0);
        const perLabel = (key: string) => [...Map.groupBy(together, ({ labels = {} }) => labels[key]).values()];
        if (isOneRack) expect(perLabel('rack')).toHaveLength(1);
        else expect(perLabel('rack').every((group) => group.length <= 1)).toBe(true);
        if (!isOneRack) expect(perLabel('zone').every((group) => group.length <= 2)).toBe(true);
        hosts = hosts.map((host) =>
          drained.has(host.name) ? aHostIn('maintained', host.name, { labels: host.labels ?? {} }) : host,
        );
      }
      expect(hosts.some(({ work }) => work?.phase === 'waiting')).toBe(false);
    }),
  );
});
