import { offerFor } from '../../../../activities/questions/ask-about-host';
import { simulatedActions } from '../../../../rules/simulation/simulated-actions';

const containers = { offered: ['EVICTION', 'OWN_ACTION'] } as const;
const movable = { instanceId: 'instance-1', cannotMove: undefined };
const pinned = { instanceId: 'instance-1', cannotMove: 'it is pinned' };

it.each([
  { cloud: 'virtual machines', actions: simulatedActions, expected: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'] },
  { cloud: 'containers', actions: containers, expected: ['EVICTION', 'OWN_ACTION'] },
])('on a cloud of $cloud a project may choose what the driver offers', ({ actions, expected }) => {
  expect(offerFor(actions, [movable])).toEqual({ allowedActions: expected });
});

it('leaves OWN_ACTION alone, with the reason, for an instance that the cloud moves nowhere', () => {
  expect(offerFor(containers, [pinned])).toEqual({
    allowedActions: ['OWN_ACTION'],
    cannotMove: { 'instance-1': 'it is pinned' },
  });
});
