/** Why instances and hosts of a session of `vnf` do not go on, and when to look again: for people, and for the timer. */
import { groupReason, ownRecovery } from './admission';
import { untilRecoveries } from './budget';
import type { Decision } from './decision';
import type { Host, Instance, Waiting } from './fleet';
import { instancesOn } from './fleet-index';
import { hostsNotOpened, hostsNotReady } from './host-waiting';
import { isInPhase } from './host-work';
import { untilNextLook } from './look-again';
import { place } from './placement';
import { lackReason } from './reasons';
import type { Situation } from './situation';
import { type VnfFacts, situationOf } from './vnf-facts';

/** The decision with one reason for every host and instance under work that does not go on with it. */
export function withReasons(facts: VnfFacts, decision: Decision): Decision {
  if (decision.next !== undefined || decision.failure !== undefined) return decision;
  const situation = situationOf(facts);
  const opening = new Set(decision.open);
  const admitted = new Set(decision.admit.map(({ instanceId }) => instanceId));
  const waiting = [
    ...situation.own.filter(isInPhase('emptying')).flatMap((host) => reasonsOn({ facts, situation, admitted }, host)),
    ...hostsNotReady(situation).filter(({ who }) => !decision.begin.includes(who)),
    ...hostsNotOpened(
      situation,
      situation.own.filter(({ name }) => opening.has(name)),
    ),
  ];
  return {
    ...decision,
    waiting,
    lookAgainMs: untilNextLook(untilRecoveries(situation.index.fleet.claims, facts.nowMs)),
  };
}

interface Scene {
  readonly facts: VnfFacts;
  readonly situation: Situation;
  readonly admitted: ReadonlySet<string>;
}

function reasonsOn({ facts, situation, admitted }: Scene, host: Host): readonly Waiting[] {
  const staying = instancesOn(facts.live, host.name).filter(({ id }) => facts.live.isStaying(id) && !admitted.has(id));
  const asked = (facts.live.outgoingByHost.get(host.name) ?? []).filter(({ phase }) => phase === 'asked');
  return [
    ...asked.map(({ instanceId }): Waiting => {
      const projectId = facts.live.instanceById.get(instanceId)?.projectId ?? instanceId;
      return { waitingFor: 'answer', who: instanceId, subject: projectId };
    }),
    ...staying.map((instance) => reasonOf(facts, situation, { instance, host })),
  ];
}

function reasonOf(
  facts: VnfFacts,
  situation: Situation,
  { instance, host }: { readonly instance: Instance; readonly host: Host },
): Waiting {
  const reason = ownRecovery(situation, instance) ?? groupReason(situation, instance);
  if (reason) return reason;
  const hostReason: Waiting = { waitingFor: 'host', who: instance.id, subject: host.name };
  if (facts.live.reservedTarget.has(instance.id)) return hostReason;
  const { index, targets, now } = situation;
  const mark = now.mark();
  const placement = place({ index, targets, instances: [instance], occupancy: now });
  now.rollBack(mark);
  return placement.kind === 'lacking' ? lackReason(index, placement.lack, instance.id) : hostReason;
}
