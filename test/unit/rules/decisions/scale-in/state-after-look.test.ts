import type { Fleet, SessionState } from '../../../../../rules/decisions/fleet/fleet';
import { stateAfterLook } from '../../../../../rules/decisions/scale-in/when-to-scale-in';
import { aController, aFleet, aHost, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const here = anInstance({ host: 'a' });
const filling = anInstance({ id: 'filling', host: 'b', vcpus: 16 });

describe('the state after a look at the fleet', () => {
  it.each<{ situation: string; fleet: Fleet; state: SessionState }>([
    { situation: 'the session has no hosts', fleet: aFleet({ hosts: [aHost()] }), state: 'START_MAINTENANCE' },
    {
      situation: 'nothing is left',
      fleet: aFleet({ hosts: [aHostIn('maintained', 'a')] }),
      state: 'START_MAINTENANCE',
    },
    {
      situation: 'an empty host is still to do',
      fleet: aFleet({ hosts: [aHostIn('waiting', 'a'), aHostIn('waiting', 'b')], instances: [here] }),
      state: 'START_MAINTENANCE',
    },
    {
      situation: 'the only empty host is maintained, and takes the instances of another',
      fleet: aFleet({ hosts: [aHostIn('waiting', 'a'), aHostIn('maintained', 'b')], instances: [here] }),
      state: 'PREPARE_MAINTENANCE',
    },
    {
      situation: 'a controller is still to do',
      fleet: aFleet({ hosts: [aHostIn('waiting', 'a'), aController('waiting', 'c')], instances: [here] }),
      state: 'START_MAINTENANCE',
    },
    {
      situation: 'no host can be drained',
      fleet: aFleet({ hosts: [aHostIn('waiting', 'a'), aHost({ name: 'b' })], instances: [here, filling] }),
      state: 'SCALE_IN',
    },
    {
      situation: 'no host can be drained, and the owner of an instance has put it off',
      fleet: aFleet({
        hosts: [aHostIn('waiting', 'a'), aHost({ name: 'b' })],
        instances: [{ ...here, ownerTimes: { notBeforeMs: 60_000 } }, filling],
      }),
      state: 'PREPARE_MAINTENANCE',
    },
    {
      situation: 'an empty host is disabled, and the other one is full',
      fleet: aFleet({
        hosts: [aHostIn('waiting', 'a'), aHost({ name: 'b' }), aHost({ name: 'c', enabled: false })],
        instances: [here, filling],
      }),
      state: 'SCALE_IN',
    },
    {
      situation: 'the host that would help was disabled by somebody else during its maintenance',
      fleet: aFleet({
        hosts: [
          ...[aHostIn('waiting', 'a'), aHost({ name: 'b' })],
          aHostIn('set_aside', 'c', {
            enabled: false,
            work: { disabled: true, keptDisabledBy: 'Masakari' },
          }),
        ],
        instances: [here, filling],
      }),
      state: 'PREPARE_MAINTENANCE',
    },
    {
      situation: 'an instance fits on no other host, so that no capacity would help',
      fleet: aFleet({ hosts: [aHostIn('waiting', 'a'), aHost({ name: 'b', vcpus: 3 })], instances: [here] }),
      state: 'START_MAINTENANCE',
    },
  ])('is $state when $situation', ({ fleet, state }) => {
    expect(stateAfterLook(fleet, aSessionId)).toBe(state);
  });
});
