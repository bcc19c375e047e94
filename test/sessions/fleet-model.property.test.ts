/** A fleet kept up to date change by change decides as one that is looked up anew. */
import fc from 'fast-check';
import type { Decision } from '../../rules/decisions/decision';
import type { Claim, Fleet, Host, Instance } from '../../rules/decisions/fleet/fleet';
import { isInPhase } from '../../rules/decisions/fleet/host-work';
import { withDefaultImpact } from '../../rules/decisions/limits/default-impact';
import { FleetModel } from '../../rules/decisions/model/fleet-model';
import { decideVnf } from '../../rules/decisions/vnf/decide-vnf';
import { aHostIn, aSessionId } from '../builders/a-fleet';
import { pick, type Random, randomFrom } from '../builders/random';
import { randomFleet } from './random-fleet';

const limits = { defaultImpactShare: 0.25 };

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

const decideOn = (model: FleetModel, drainOrder: Decision['drainOrder']): Decision =>
  decideVnf({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', model, nowMs, limits, drainOrder });

const withPhase = (host: Host, phase: NonNullable<Host['work']>['phase']): Host => {
  const disabled = phase === 'emptying' || phase === 'maintaining';
  return host.work ? { ...host, enabled: !disabled, work: { ...host.work, phase, disabled } } : host;
};

/** Carries out a decision on the fleet that is kept up to date, as the service does. */
const apply = (model: FleetModel, { drain, reserve = [], admit, begin, giveBackForDeadlock }: Decision): void => {
  for (const name of begin) model.setHost(withPhase(model.hostByName.get(name)!, 'maintaining'));
  for (const name of drain) model.setHost(withPhase(model.hostByName.get(name)!, 'emptying'));
  for (const name of giveBackForDeadlock) {
    for (const { id } of model.instancesByHost.get(name) ?? []) model.unreserve(id);
    model.setHost(withPhase(model.hostByName.get(name)!, 'waiting'));
  }
  for (const { instanceId, target } of reserve) model.reserve(instanceId, target);
  for (const { kind, instanceId, ...admission } of admit) {
    const { amounts } = model.instanceById.get(instanceId)!;
    const phase = kind === 'ask' ? 'asked' : 'moving';
    model.setClaim({ id: instanceId, instanceId, sessionId: aSessionId, phase, amounts, ...admission });
  }
};

/**
 * One thing that happens meanwhile: a move begins, ends or fails, a recovery or a maintenance is over, an instance
 * shrinks.
 */
const happen = (model: FleetModel, random: Random): void => {
  if (random() < 0.1) shrink(model, pick([...model.instanceById.values()], random));
  const claims = [...model.claimByInstance.values()];
  const maintaining = model.hosts.filter(({ work }) => work?.phase === 'maintaining');
  if (claims.length === 0 || (maintaining.length > 0 && random() < 0.3)) {
    if (maintaining.length > 0) model.setHost(withPhase(pick(maintaining, random), 'maintained'));
  } else goOn(model, pick(claims, random), random() < 0.1);
};

const shrink = (model: FleetModel, instance: Instance | undefined): void => {
  if (!instance || !model.isStaying(instance.id)) return;
  const { MEMORY_MB = 0 } = instance.amounts;
  model.setInstance({ ...instance, amounts: { ...instance.amounts, MEMORY_MB: MEMORY_MB / 2 } });
};

const goOn = (model: FleetModel, claim: Claim, fails: boolean): void => {
  const instance = model.instanceById.get(claim.instanceId)!;
  if (claim.phase === 'asked') model.setClaim({ ...claim, phase: 'moving' });
  else if (claim.phase === 'moving') {
    if (!fails) model.setInstance({ ...instance, host: claim.target });
    model.setClaim({ ...claim, phase: 'recovering', recoversAtMs: nowMs + 60_000 });
  } else model.removeClaim(claim.instanceId);
};

/** The number of members that queue in each group. */
const queuesOf = (model: FleetModel): Readonly<Record<string, number>> =>
  Object.fromEntries([...model.groupByKey.keys()].map((key) => [key, model.groups.queueLength(key)]));

/** The same fleet in another order. */
const shuffled = ({ hosts, instances, groups, claims, ...rest }: Fleet): Fleet => ({
  hosts: hosts.toReversed(),
  instances: instances.toReversed(),
  groups: groups.toReversed(),
  claims: claims.toReversed(),
  ...rest,
});

/** Hosts without any capacity. */
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
        const model = new FleetModel(withDefaultImpact({ ...fleet, hosts }, limits.defaultImpactShare), nowMs);
        let drainOrder: Decision['drainOrder'];
        for (let step = 0; step < 60; step += 1) {
          const fresh = new FleetModel(shuffled(model.snapshot()), nowMs);
          expect(queuesOf(model)).toEqual(queuesOf(fresh));
          const decision = decideOn(model, drainOrder);
          expect(decision).toEqual(decideOn(fresh, drainOrder));
          const waiting = model.hosts.filter(isInPhase('waiting')).map(({ name }) => name);
          model.holdBack(waiting.filter(() => random() < 0.5));
          const held = new FleetModel(shuffled(model.snapshot()), nowMs);
          expect(decideOn(model, drainOrder)).toEqual(decideOn(held, drainOrder));
          model.holdBack([]);
          drainOrder = decision.drainOrder ?? drainOrder;
          apply(model, decision);
          happen(model, random);
        }
      },
    ),
    { numRuns: 40 },
  );
});
