import { whyHeld } from '../../../../../rules/cloud/departure';
import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import { fleetToDecideOn } from '../../../../../rules/decisions/both-workflows/fleet-of-session';
import type { HostPhase } from '../../../../../rules/decisions/fleet/fleet';
import { decideAllVnf } from '../../../../../rules/steps/decide-all-vnf';
import { aDeparture, type DepartureFields } from '../../../../builders/a-departure';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const endsByItself = { because: 'it is at work for Job nightly', waitSeconds: 60 };
const kept = { because: 'it is bare', owner: 'project', help: 'move it' } as const;
const ending = (fields: DepartureFields = {}) => anInstance({ departure: aDeparture({ endsByItself, ...fields }) });
const k8s = { id: aSessionId, workflow: 'k8s', rolling: null };
const vnf = { ...k8s, workflow: 'vnf' };
const atMs = (seconds: number) => ({ nowMs: seconds * 1000 });

describe('an instance that ends by itself', () => {
  const heldUntil = (seconds: number, phase: HostPhase, fields: DepartureFields = {}) => {
    const hosts = [aHostIn(phase, 'host-1', { work: { drainingSinceMs: 30_000 } })];
    const { instances } = fleetToDecideOn(vnf, { hosts, instances: [ending(fields)], groups: [] }, atMs(seconds));
    return whyHeld(instances[0]!)?.passesAtMs;
  };

  it.each<{ situation: string; seconds: number; phase: HostPhase; fields?: DepartureFields; until?: number }>([
    { situation: 'its host is not drained yet', seconds: 1, phase: 'waiting' },
    { situation: 'its host is drained', seconds: 31, phase: 'emptying', until: 90_000 },
    { situation: 'its time is just over', seconds: 90, phase: 'emptying' },
    {
      situation: 'it came after its host had been given back',
      ...{ seconds: 90, phase: 'emptying', fields: { endsByItself: { ...endsByItself, sinceMs: 70_000 } } },
      until: 130_000,
    },
    {
      situation: 'it was there before the drain',
      ...{ seconds: 31, phase: 'emptying', fields: { endsByItself: { ...endsByItself, sinceMs: 10_000 } } },
      until: 90_000,
    },
    { situation: 'it is kept besides', seconds: 31, phase: 'emptying', fields: { held: kept }, until: 90_000 },
  ])('is waited for until $until where $situation', ({ seconds, phase, fields, until }) => {
    expect(heldUntil(seconds, phase, fields)).toBe(until);
  });

  it.each([
    { situation: 'was not drained yet', work: {}, isHeld: false },
    { situation: 'was given back before its time was over', work: { drainingSinceMs: 0 }, isHeld: false },
    { situation: 'was drained for that time', work: { drainingSinceMs: -60_000 }, isHeld: true },
  ])('keeps its host where it is kept besides and the host $situation: $isHeld', ({ work, isHeld }) => {
    const hosts = [aHostIn('waiting', 'host-1', { work })];
    const instance = ending({ held: kept });
    const { instances } = fleetToDecideOn(vnf, { hosts, instances: [instance], groups: [] }, atMs(1));
    expect(whyHeld(instances[0]!)).toBe(isHeld ? kept : undefined);
  });

  it('tells why, and until when', () => {
    const hosts = [aHostIn('emptying', 'host-1', { work: { drainingSinceMs: 0 } })];
    const { instances } = fleetToDecideOn(vnf, { hosts, instances: [ending()], groups: [] }, atMs(0));
    expect(whyHeld(instances[0]!)).toMatchObject({
      because: 'it is at work for Job nightly: it is waited for until 1970-01-01T00:01:00.000Z',
      owner: 'project',
    });
  });

  it('is left as it is on a host of another session', () => {
    const hosts = [aHostIn('emptying', 'host-1', { work: { sessionId: 'other', drainingSinceMs: 0 } })];
    const instance = ending();
    const { instances } = fleetToDecideOn(vnf, { hosts, instances: [instance], groups: [] }, atMs(1));
    expect(instances).toEqual([instance]);
  });
});

it.each([
  { isOneUnit: true, until: [60_000, 60_000, undefined] },
  { isOneUnit: false, until: [60_000, 80_000, undefined] },
])('members of one unit ($isOneUnit) are waited for until $until, and those on other hosts not at all', (given) => {
  const since = (drainingSinceMs: number) => ({ work: { drainingSinceMs } });
  const hosts = [
    aHostIn('emptying', 'a', since(0)),
    aHostIn('emptying', 'b', since(20_000)),
    aHostIn('waiting', 'c', since(-90_000)),
  ];
  const instances = hosts.map(({ name }) => anInstance({ ...ending(), id: `on-${name}`, host: name }));
  const groups = [aGroup(given.isOneUnit ? { keptBy: { kind: 'service', limit: 'unit' } } : {})];
  const seen = fleetToDecideOn(vnf, { hosts, instances, groups }, atMs(30));
  expect(seen.instances.map((instance) => whyHeld(instance)?.passesAtMs)).toEqual(given.until);
});

describe('a session of k8s', () => {
  const decide = (phase: HostPhase, seconds: number, most?: number) => {
    const hosts = ['node-1', 'node-2'].map((name) => aHostIn(phase, name, { work: { drainingSinceMs: 0 } }));
    const instances = [
      { host: 'node-1', departure: aDeparture({ endsByItself }) },
      { host: 'node-2' },
      { host: 'node-2' },
    ];
    const fleet = aFleet({
      hosts: [...hosts, aHost({ name: 'spare' })],
      groups: [aGroup({ maxImpactedMembers: 3 })],
      instances: instances.map((fields, at) => anInstance({ id: `i-${at}`, defaultAction: 'EVICTION', ...fields })),
    });
    const seen = fleetToDecideOn(k8s, fleet, atMs(seconds));
    const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet: seen, drainOrder: undefined } as const;
    const limits = {
      defaultImpactShare: 0.25,
      ...choicesOf(k8s),
      ...(most !== undefined && { maxParallelHosts: most }),
    };
    return decideAllVnf(view, seconds * 1000, limits).decision;
  };

  it('begins its host last', () => {
    expect(decide('waiting', 1, 1).drain).toEqual(['node-2']);
  });

  it('moves the others meanwhile, and looks again when the time is over', () => {
    const { admit, waiting, lookAgainMs, giveBackForDeadlock } = decide('emptying', 50);
    expect(admit.map(({ instanceId }) => instanceId).sort()).toEqual(['i-1', 'i-2']);
    expect(waiting).toContainEqual(expect.objectContaining({ waitingFor: 'state', who: 'i-0' }));
    expect({ lookAgainMs, giveBackForDeadlock }).toEqual({ lookAgainMs: 10_000, giveBackForDeadlock: [] });
  });

  it('moves it like any other when its time is over', () => {
    expect(
      decide('emptying', 60)
        .admit.map(({ instanceId }) => instanceId)
        .sort(),
    ).toEqual(['i-0', 'i-1', 'i-2']);
  });
});
