/** The last look before an action begins: what may have come between its admission and now. */
import { noTarget } from '../../../../../rules/decisions/fleet/double-allocation';
import type { Group } from '../../../../../rules/decisions/fleet/fleet';
import {
  type StartLimit,
  startOf,
  type StartTarget,
  type StartView,
} from '../../../../../rules/decisions/limits/before-start';
import { aDeparture } from '../../../../builders/a-departure';
import { aClaim, aGroup, aHost, aHostIn, anInstance, nobodyTold } from '../../../../builders/a-fleet';

/** A limit, with members that come before. */
const under = (group: Partial<Group>, impactedBefore = 0): StartLimit => ({ group: aGroup(group), impactedBefore });

/** instance-1 is to leave host-1 for host-2, which has capacity for four of its size. */
const aStart = (given: Partial<StartView> = {}, target: Partial<StartTarget> = {}): StartView => ({
  claim: aClaim(),
  instance: anInstance(),
  limits: [under({ name: 'web' })],
  isAsked: false,
  isOutdated: false,
  target: { name: 'host-2', host: aHost({ name: 'host-2' }), instances: [], incoming: [], ...target },
  ...given,
});

const others = (count: number, groupKey = 'group-2') =>
  Array.from({ length: count }, (_, n) => anInstance({ id: `other-${n}`, host: 'host-2', groupKey }));
const incoming = (count: number, groupKey = 'group-2') =>
  Array.from({ length: count }, (_, n) => aClaim({ instanceId: `other-${n}`, groupKey }));
const own = aClaim({ action: 'OWN_ACTION' });
const staying = anInstance({ departure: aDeparture({ byProject: 'it is pinned' }) });
const apart = [under({ name: 'web', maxInstancesPerHost: 1 })];
/** Its group lets members share a host; the cloud keeps it from those of a group of its own. */
const alsoApart = [
  under({ name: 'web' }),
  under({ key: 'further', name: 'server group db', maxImpactedMembers: Infinity, maxInstancesPerHost: 1 }, 3),
];

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
      start: aStart({ limits: [under({ maxImpactedMembers: 2 }, 1)] }),
    },
    {
      situation: 'its group has no stored limits that could have been lowered',
      start: aStart({ limits: [under({ keptBy: nobodyTold }, 3)] }),
    },
    { situation: 'the cloud itself chooses the target', start: aStart({ target: undefined }) },
    {
      situation: 'its project was asked and is at work on it, whatever has changed',
      start: aStart({ claim: own, isAsked: true, isOutdated: true, limits: [under({}, 1)] }, { host: undefined }),
    },
    {
      situation: 'the cloud cannot move it, and its project acts itself',
      start: aStart({ instance: staying, claim: own }),
    },
    {
      situation: 'the cloud would refuse it now, and may let it go later',
      start: aStart({
        instance: anInstance({
          departure: aDeparture({ refused: { because: 'its budget allows none', help: 'wait' } }),
        }),
      }),
    },
    {
      situation: 'its budget is used up, and it does not serve',
      start: aStart({ instance: anInstance({ isUnhealthy: true }), limits: [under({}, 1)] }),
    },
    {
      situation: 'it has no target, and nothing makes it again',
      start: aStart({
        ...{
          instance: anInstance({ departure: aDeparture({ place: { kind: 'nowhere' } }) }),
          claim: aClaim({ target: noTarget }),
          target: undefined,
        },
      }),
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

  it.each([true, false])('fails, and says what helps, where the cloud cannot move it (asked: %s)', (isAsked) => {
    expect(startOf(aStart({ instance: staying, isAsked }))).toEqual({
      kind: 'cannotMove',
      failure: expect.stringMatching(
        /does not move it, since it is pinned: .*OWN_ACTION.*then continue the session$/,
      ) as string,
    });
  });

  it('begins without a place where its project deletes it first, and waits for one where it has to be moved', () => {
    const start = (action: 'OWN_ACTION' | 'MIGRATE') =>
      startOf(aStart({ claim: aClaim({ action, target: '' }), target: undefined }));
    expect(start('OWN_ACTION')).toEqual({ kind: 'begin' });
    expect(start('MIGRATE')).toEqual({
      kind: 'putOff',
      because: { waitingFor: 'room', who: 'instance-1', subject: '4 vcpus and 4096 MB of memory on another host' },
    });
  });

  it('has nothing to do where the instance is on another host by now', () => {
    const start = aStart({ instance: anInstance({ host: 'host-7' }) }, { host: undefined });
    expect(startOf(start)).toEqual({ kind: 'away', host: 'host-7' });
  });

  it.each([
    {
      situation: 'the target is disabled or down',
      target: { host: aHost({ name: 'host-2', enabled: false }) },
      because: { waitingFor: 'target', subject: 'host-2' },
    },
    {
      situation: 'the target is not there any more',
      target: { host: undefined },
      because: { waitingFor: 'target', subject: 'host-2' },
    },
    {
      situation: 'the target went under work',
      target: { host: aHostIn('emptying', 'host-2') },
      because: { waitingFor: 'target', subject: 'host-2' },
    },
    {
      situation: 'others have filled the target',
      target: { instances: others(4) },
      because: { waitingFor: 'room', subject: '4 vcpus on host-2' },
    },
    {
      situation: 'the target has a resource no more',
      instance: anInstance({ amounts: { FPGA: 1 } }),
      because: { waitingFor: 'room', subject: '1 FPGA on host-2' },
    },
    {
      situation: 'too much is on its way to the target',
      target: { instances: others(1), incoming: incoming(4).slice(1) },
      because: { waitingFor: 'room', subject: '4 vcpus on host-2' },
    },
    {
      situation: 'a member is on the target',
      limits: apart,
      target: { instances: others(1, 'group-1') },
      because: { waitingFor: 'affinity', subject: 'web', subjectId: 'ID of group-1' },
    },
    {
      situation: 'a member comes to the target',
      limits: apart,
      target: { incoming: incoming(1, 'group-1') },
      because: { waitingFor: 'affinity', subject: 'web', subjectId: 'ID of group-1' },
    },
    {
      situation: 'a member of another of its limits is on the target',
      limits: alsoApart,
      target: { instances: [{ ...others(1)[0]!, furtherLimitKeys: ['further'] }] },
      because: { waitingFor: 'affinity', subject: 'server group db', subjectId: 'ID of further' },
    },
    {
      situation: 'a member of another of its limits comes to the target',
      limits: alsoApart,
      target: { incoming: [{ ...incoming(1)[0]!, furtherLimitKeys: ['further'] }] },
      because: { waitingFor: 'affinity', subject: 'server group db', subjectId: 'ID of further' },
    },
    {
      situation: 'the limit of its group was lowered',
      limits: [under({ name: 'web' }, 1)],
      target: {},
      because: { waitingFor: 'group', subject: 'web', subjectId: 'ID of group-1' },
    },
    {
      situation: 'another of its limits is used up',
      limits: [under({ name: 'web', maxImpactedMembers: 2 }, 1), under({ name: 'budget' }, 1)],
      target: {},
      because: { waitingFor: 'group', subject: 'budget', subjectId: 'ID of group-1' },
    },
  ])(
    'is put off where $situation',
    ({ limits = [under({ name: 'web' })], instance = anInstance(), target, because }) => {
      expect(startOf(aStart({ limits, instance }, target))).toEqual({
        kind: 'putOff',
        because: { who: 'instance-1', ...because },
      });
    },
  );
});
