import {
  hostsHolding,
  hostWhenSettled,
  mayLeaveWithoutPlace,
  needsNoPlace,
  noTarget,
} from '../../../../../rules/decisions/fleet/double-allocation';
import { aDeparture } from '../../../../builders/a-departure';
import { aClaim, anInstance, type InstanceFields } from '../../../../builders/a-fleet';

const deleted = { resourceMitigation: false, migrationType: 'OWN_ACTION', leadTimeSeconds: 20 } as const;

describe('an instance may leave its host without a place elsewhere', () => {
  it.each<{ situation: string; given: InstanceFields; may: boolean }>([
    { situation: 'its project is to delete it first', given: deleted, may: true },
    {
      situation: 'nothing makes it again',
      given: { departure: aDeparture({ place: { kind: 'nowhere' } }) },
      may: true,
    },
    { situation: 'its replacement comes first', given: { ...deleted, resourceMitigation: true }, may: false },
    { situation: 'nobody stored which comes first', given: { migrationType: 'OWN_ACTION' }, may: false },
    { situation: 'the service is to move it', given: { ...deleted, migrationType: 'MIGRATE' }, may: false },
    { situation: 'its project is not asked', given: { ...deleted, leadTimeSeconds: 0 }, may: false },
    {
      situation: 'its project left the move to the service',
      given: { ...deleted, settledAction: 'LIVE_MIGRATE' },
      may: false,
    },
    {
      situation: 'its project chose to act itself, which its constraints do not expect',
      given: { resourceMitigation: false, migrationType: 'MIGRATE', settledAction: 'OWN_ACTION' },
      may: true,
    },
    {
      situation: 'its replacement comes first, and its project has answered that it acts itself',
      given: { ...deleted, resourceMitigation: true, settledAction: 'OWN_ACTION' },
      may: true,
    },
    {
      situation: 'its replacement was to come first, and its project left the move to the service',
      given: { ...deleted, resourceMitigation: true, settledAction: 'LIVE_MIGRATE' },
      may: false,
    },
    {
      situation: 'only its project can take it away, whatever it answered',
      given: {
        resourceMitigation: false,
        departure: aDeparture({ byProject: 'it is pinned' }),
        settledAction: 'LIVE_MIGRATE',
      },
      may: true,
    },
    {
      situation: 'only its project can take it away, and the replacement comes first',
      given: { resourceMitigation: true, departure: aDeparture({ byProject: 'it is pinned' }) },
      may: false,
    },
  ])('$may where $situation', ({ given, may }) => {
    expect(mayLeaveWithoutPlace(anInstance(given))).toBe(may);
  });

  it('and needs none where the service could not move it anyway', () => {
    expect(needsNoPlace(anInstance({ ...deleted, departure: aDeparture({ byProject: 'it is pinned' }) }))).toBe(true);
    expect(needsNoPlace(anInstance(deleted))).toBe(false);
    expect(needsNoPlace(anInstance({ departure: aDeparture({ place: { kind: 'nowhere' } }) }))).toBe(true);
    const replacedFirst = {
      resourceMitigation: true,
      departure: aDeparture({ byProject: 'it is pinned' }),
      settledAction: 'OWN_ACTION',
    } as const;
    expect(needsNoPlace(anInstance(replacedFirst))).toBe(false);
  });
});

describe('a claim without a target', () => {
  const instance = anInstance();
  it.each(['asked', 'moving'] as const)('holds capacity on no other host while it is %s', (phase) => {
    const claim = aClaim({ phase, target: noTarget, action: 'OWN_ACTION' });
    expect(hostsHolding(instance, claim)).toEqual(['host-1']);
    expect(hostWhenSettled(instance, claim)).toBe(noTarget);
  });
});
