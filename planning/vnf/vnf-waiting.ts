/**
 * Why instances and hosts of a session of `vnf` do not go on, and when to look again: for people, and for the timer.
 */
import { groupReason, ownRecovery, waitsForAnswer } from '../rolling/admission';
import type { Decision } from '../decision';
import type { Host, Instance, Waiting } from '../fleet/fleet';
import { instancesOn } from '../fleet/fleet-index';
import { explained, hostsNotOpened, hostsNotReady, untilNextDecision, waitsFor } from '../rolling/host-waiting';
import { controllerOut, isInPhase, isUnderWork } from '../fleet/host-work';
import { largestFirst, type Lack, place } from '../limits/placement';
import { lackReason } from '../limits/reasons';
import type { Situation } from '../rolling/situation';
import { type VnfFacts, situationOf, slotsLeft } from '../live/vnf-facts';

/** The decision with one reason for every host and instance under work that does not go on with it. */
export function withReasons(facts: VnfFacts, decision: Decision): Decision {
  if (decision.next !== undefined || decision.failure !== undefined || decision.setAside) return decision;
  const situation = situationOf(facts);
  const admitted = new Set(decision.admit.map(({ instanceId }) => instanceId));
  const waiting = [
    ...situation.own.filter(isInPhase('emptying')).flatMap((host) => reasonsOn({ facts, situation, admitted }, host)),
    ...hostsNotReady(situation).filter(({ who }) => !decision.begin.includes(who)),
    ...waitingHosts(facts, situation),
  ];
  return {
    ...decision,
    waiting,
    lookAgainMs: untilNextDecision(situation),
  };
}

/** Every host that is not opened: what it waits for beside those under work, or why none is. */
function waitingHosts(facts: VnfFacts, situation: Situation): readonly Waiting[] {
  const underWork = situation.own.filter(isUnderWork);
  const [first] = underWork;
  if (!first) return hostsNotOpened(situation, []);
  const waiting = situation.own.filter(isInPhase('waiting'));
  const waitsForFirst = (host: Host): Waiting => waitsFor(host, first);
  if (slotsLeft(facts) <= 0) return waiting.map(waitsForFirst);
  return explained(waiting, { why: (host) => whyNotBeside(situation, host, first), ofTheRest: waitsForFirst });
}

function whyNotBeside(situation: Situation, host: Host, first: Host): Waiting {
  const controller = host.type === 'controller' ? controllerOut(situation.index, host) : undefined;
  if (controller) return waitsFor(host, controller);
  // A look at the one that is hardest to place: this is asked for every host at every decision.
  const [largest] = instancesOn(situation.index, host.name).toSorted(largestFirst);
  const lack = largest && lackOf(situation, largest);
  if (!lack) return waitsFor(host, first);
  return lackReason(lack, host.name, situation.nowMs);
}

function lackOf({ index, targets, now }: Situation, instance: Instance): Lack | undefined {
  const mark = now.mark();
  const placement = place({ index, targets, instances: [instance], occupancy: now });
  now.rollBack(mark);
  return placement.kind === 'lacking' ? placement.lack : undefined;
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
      const instance = facts.live.instanceById.get(instanceId);
      return instance ? waitsForAnswer(instance) : { waitingFor: 'answer', who: instanceId, subject: instanceId };
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
  const lack = lackOf(situation, instance);
  return lack ? lackReason(lack, instance.id, situation.nowMs) : hostReason;
}
