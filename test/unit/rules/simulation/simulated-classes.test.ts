import { needsOf, offersOf, simulatedWhyNot } from '../../../../rules/simulation/simulated-classes';

it.each([
  { needs: [], labels: [], lacks: undefined },
  { needs: [], labels: ['zone-a'], lacks: undefined },
  { needs: ['zone-a'], labels: ['sriov', 'zone-a'], lacks: undefined },
  { needs: ['zone-a'], labels: [], lacks: 'label zone-a' },
  { needs: ['zone-a', 'sriov'], labels: ['zone-b'], lacks: 'label sriov and label zone-a' },
])('an instance that needs $needs on a host with $labels: $lacks', ({ needs, labels, lacks }) => {
  expect(simulatedWhyNot(needsOf({ needs }), offersOf({ labels }))).toBe(lacks);
});

it('tells apart what the cloud may refuse, and nothing else', () => {
  const classOf = (given: Parameters<typeof needsOf>[0]): string => needsOf(given);
  expect(classOf({ needs: ['a', 'b'] })).toBe(classOf({ needs: ['b', 'a'] }));
  const kinds = [{}, { needs: ['a'] }, { groupId: 'g' }, { refusedBy: ['host-1'] }].map(classOf);
  expect(new Set(kinds).size).toBe(kinds.length);
});
