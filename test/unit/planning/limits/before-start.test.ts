/** The last look before an action begins: what may have come between its admission and now. */
import { startOf, type StartTarget, type StartView } from '../../../../planning/limits/before-start';
import { aClaim, aGroup, aHost, aHostIn, anInstance } from '../../../builders/a-fleet';

/** instance-1 is to leave host-1 for host-2, which has room for four of its size. */
const aStart = (given: Partial<StartView> = {}, target: Partial<StartTarget> = {}): StartView => ({
  claim: aClaim(),
  instance: anInstance(),
  group: aGroup({ name: 'web' }),
  isAsked: false,
  isOutdated: false,
  impactedBefore: 0,
  target: { name: 'host-2', host: aHost({ name: 'host-2' }), instances: [], incoming: [], ...target },
  ...given,
});

const others = (count: number, groupKey = 'group-2') =>
  Array.from({ length: count }, (_, n) => anInstance({ id: `other-${n}`, host: 'host-2', groupKey }));
const incoming = (count: number, groupKey = 'group-2') =>
  Array.from({ length: count }, (_, n) => aClaim({ instanceId: `other-${n}`, groupKey }));
const own = aClaim({ action: 'OWN_ACTION' });
const apart = aGroup({ name: 'web', maxInstancesPerHost: 1 });

describe('an action that is about to begin', () => {
  it.each([
    { situation: 'nothing has changed', start: aStart() },
    { situation: 'three others came to the target', start: aStart({}, { instances: others(3) }) },
    {
      situation: 'whoever is on its way to the target has arrived there meanwhile',
      start: aStart({}, { instances: others(3), incoming: incoming(3) }),
    },
    {
      situation: 'the group allows another one',
      start: aStart({ group: aGroup({ maxImpactedMembers: 2 }), impactedBefore: 1 }),
    },
    {
      situation: 'its group has no stored limits that could have been lowered',
      start: aStart({ group: aGroup({ withoutConstraints: true }), impactedBefore: 3 }),
    },
    { situation: 'the cloud itself chooses the target', start: aStart({ target: undefined }) },
    {
      situation: 'its project was asked and is at work on it, whatever has changed',
      start: aStart({ claim: own, isAsked: true, isOutdated: true, impactedBefore: 1 }, { host: undefined }),
    },
    {
      situation: 'its project was asked, and its constraints have changed',
      start: aStart({ isAsked: true, isOutdated: true }),
    },
    {
      situation: 'the target waits for its own maintenance',
      start: aStart({}, { host: aHostIn('waiting', 'host-2') }),
    },
  ])('begins where $situation', ({ start }) => {
    expect(startOf(start)).toEqual({ kind: 'begin' });
  });

  it('waits where its target was enabled lately and is starting', () => {
    const host = aHostIn('maintained', 'host-2', { enabled: false, startingUntilMs: 600_000 });
    expect(startOf(aStart({}, { host }))).toEqual({ kind: 'targetStarts' });
  });

  it('is decided anew where constraints have changed since it was granted without a question', () => {
    expect(startOf(aStart({ isOutdated: true }))).toEqual({ kind: 'outdated' });
    expect(startOf(aStart({ isOutdated: true, claim: own }))).toEqual({ kind: 'outdated' });
  });

  it('has nothing to do where the instance is on another host by now', () => {
    const start = aStart({ instance: anInstance({ host: 'host-7' }) }, { host: undefined });
    expect(startOf(start)).toEqual({ kind: 'away', host: 'host-7' });
  });

  it.each([
    {
      situation: 'the target is disabled or down',
      target: { host: aHost({ name: 'host-2', enabled: false }) },
      because: ['host', 'host-2'],
    },
    { situation: 'the target is not there any more', target: { host: undefined }, because: ['host', 'host-2'] },
    {
      situation: 'the target went under work',
      target: { host: aHostIn('emptying', 'host-2') },
      because: ['host', 'host-2'],
    },
    {
      situation: 'others have filled the target',
      target: { instances: others(4) },
      because: ['room', '4 vcpus on host-2'],
    },
    {
      situation: 'too much is on its way to the target',
      target: { instances: others(1), incoming: incoming(4).slice(1) },
      because: ['room', '4 vcpus on host-2'],
    },
    {
      situation: 'a member is on the target',
      group: apart,
      target: { instances: others(1, 'group-1') },
      because: ['affinity', 'web'],
    },
    {
      situation: 'a member comes to the target',
      group: apart,
      target: { incoming: incoming(1, 'group-1') },
      because: ['affinity', 'web'],
    },
    { situation: 'the limit of its group was lowered', impactedBefore: 1, target: {}, because: ['group', 'web'] },
  ])('is put off where $situation', ({ group = aGroup({ name: 'web' }), impactedBefore = 0, target, because }) => {
    const [waitingFor, subject] = because;
    expect(startOf(aStart({ group, impactedBefore }, target))).toEqual({
      kind: 'putOff',
      because: { waitingFor, who: 'instance-1', subject },
    });
  });
});
