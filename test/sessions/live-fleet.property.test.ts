/** A fleet kept up to date change by change decides as one that is looked up anew. */
import fc from 'fast-check';
import { decideVnf } from '../../planning/vnf/decide-vnf';
import type { Decision } from '../../planning/decision';
import type { Claim, Fleet, Host, Instance } from '../../planning/fleet/fleet';
import { LiveFleet } from '../../planning/live/live-fleet';
import { withDefaultImpact } from '../../planning/limits/default-impact';
import { aHostIn, aSessionId } from '../builders/a-fleet';
import { type Random, pick, randomFrom } from '../builders/random';
import { randomFleet } from './random-fleet';

const limits = { releases: 2, defaultImpactShare: 0.25 };

const shape = {
  controllers: 2,
  mixed: 1,
  outside: 1,
  disabledBefore: 0,
  apart: 0.4,
  crowded: false,
  sessions: 1,
} as const;
const nowMs = 1_000_000;

const decideOn = (live: LiveFleet, openingOrder: Decision['openingOrder']): Decision =>
  decideVnf({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs, limits, openingOrder });

const withPhase = (host: Host, phase: NonNullable<Host['work']>['phase']): Host => {
  const disabled = phase === 'emptying' || phase === 'maintaining';
  return host.work ? { ...host, enabled: !disabled, work: { ...host.work, phase, disabled } } : host;
};

/** The effects of a decision, applied to the fleet that is kept up to date. */
const apply = (live: LiveFleet, { open, reserve = [], admit, begin, release }: Decision): void => {
  for (const name of begin) live.setHost(withPhase(live.hostByName.get(name)!, 'maintaining'));
  for (const name of open) live.setHost(withPhase(live.hostByName.get(name)!, 'emptying'));
  for (const name of release) {
    for (const { id } of live.instancesByHost.get(name) ?? []) live.unreserve(id);
    live.setHost(withPhase(live.hostByName.get(name)!, 'waiting'));
  }
  for (const { instanceId, target } of reserve) live.reserve(instanceId, target);
  for (const { kind, instanceId, ...admission } of admit) {
    const { vcpus, memoryMb } = live.instanceById.get(instanceId)!;
    const phase = kind === 'ask' ? 'asked' : 'moving';
    live.setClaim({ id: instanceId, instanceId, sessionId: aSessionId, phase, vcpus, memoryMb, ...admission });
  }
};

/**
 * One thing that happens meanwhile: a move begins, ends or fails, a recovery or a maintenance is over, an instance
 * shrinks.
 */
const happen = (live: LiveFleet, random: Random): void => {
  if (random() < 0.1) shrink(live, pick([...live.instanceById.values()], random));
  const claims = [...live.claimByInstance.values()];
  const maintaining = live.hosts.filter(({ work }) => work?.phase === 'maintaining');
  if (claims.length === 0 || (maintaining.length > 0 && random() < 0.3)) {
    if (maintaining.length > 0) live.setHost(withPhase(pick(maintaining, random), 'maintained'));
  } else goOn(live, pick(claims, random), random() < 0.1);
};

const shrink = (live: LiveFleet, instance: Instance | undefined): void => {
  if (instance && live.isStaying(instance.id)) live.setInstance({ ...instance, memoryMb: instance.memoryMb / 2 });
};

const goOn = (live: LiveFleet, claim: Claim, fails: boolean): void => {
  const instance = live.instanceById.get(claim.instanceId)!;
  if (claim.phase === 'asked') live.setClaim({ ...claim, phase: 'moving' });
  else if (claim.phase === 'moving') {
    if (!fails) live.setInstance({ ...instance, host: claim.target });
    live.setClaim({ ...claim, phase: 'recovering', recoversAtMs: nowMs + 60_000 });
  } else live.removeClaim(claim.instanceId);
};

/** The number of instances that queue in each group. */
const queuesOf = (live: LiveFleet): Readonly<Record<string, number>> =>
  Object.fromEntries([...live.groupByKey.keys()].map((key) => [key, live.queue(key).length]));

/** In another order than it was kept in. */
const shuffled = ({ hosts, instances, groups, claims, reservations = [] }: Fleet): Fleet => ({
  hosts: hosts.toReversed(),
  instances: instances.toReversed(),
  groups: groups.toReversed(),
  claims: claims.toReversed(),
  reservations,
});

/** Hosts without any room. */
const maintained = (count: number): readonly Host[] =>
  Array.from({ length: count }, (_, number) => aHostIn('maintained', `done-${number}`, { vcpus: 0, memoryMb: 0 }));

it('decides the same as on a fresh look, after every decision and everything that happens', () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.integer(),
        computes: fc.integer({ min: 3, max: 8 }),
        used: fc.constantFrom(0.4, 0.6, 0.8),
        done: fc.constantFrom(0, 100),
      }),
      ({ seed, computes, used, done }) => {
        const random = randomFrom(seed);
        const fleet = randomFleet({ ...shape, seed, computes, groups: 4, used }, random);
        const hosts = [...fleet.hosts, ...maintained(done)];
        const live = new LiveFleet(withDefaultImpact({ ...fleet, hosts }, limits.defaultImpactShare), nowMs);
        let openingOrder: Decision['openingOrder'];
        for (let step = 0; step < 60; step += 1) {
          const fresh = new LiveFleet(shuffled(live.fleet), nowMs);
          expect(queuesOf(live)).toEqual(queuesOf(fresh));
          const decision = decideOn(live, openingOrder);
          expect(decision).toEqual(decideOn(fresh, openingOrder));
          openingOrder = decision.openingOrder ?? openingOrder;
          apply(live, decision);
          happen(live, random);
        }
      },
    ),
    { numRuns: 40 },
  );
});
