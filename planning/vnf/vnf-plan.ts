/**
 * All that a session of `vnf` does at one time: decisions are taken one after the other, each on what those before have
 * changed, until there is nothing more to do (an opened host's places are reserved before anything is admitted).
 */
import { decideVnf } from './decide-vnf';
import type { Admission, Decision, SessionView } from '../decision';
import type { Claim, Host, HostPhase, HostWork, Reservation } from '../fleet/fleet';
import { instancesOn } from '../fleet/fleet-index';
import type { LiveFleet } from '../live/live-fleet';
import { type VnfFacts, type VnfLimits, factsOf } from '../live/vnf-facts';
import { withReasons } from './vnf-waiting';

export interface VnfPlan {
  readonly decision: Decision;
  /** Every place that is reserved afterwards, of all sessions, by instance ID. */
  readonly reserved: ReadonlyMap<string, string>;
}

/** @throws RangeError for a state that is not a rolling one */
export function planVnf(view: SessionView, nowMs: number, limits: VnfLimits): VnfPlan {
  const facts = factsOf(view, nowMs, limits);
  const decision = withReasons(facts, decideUntilQuiet(facts));
  return { decision, reserved: facts.live.reservedTarget };
}

/** Far more than there are things to do at one time; what is left then is done at the next look. */
const mostRounds = 1_000;

function decideUntilQuiet(facts: VnfFacts): Decision {
  let all = decideVnf(facts);
  let last = all;
  for (let rounds = 1; hasNews(last) && rounds < mostRounds; rounds += 1) {
    apply(facts, last);
    last = decideVnf({ ...facts, openingOrder: all.openingOrder ?? facts.openingOrder });
    all = joined(all, last);
  }
  return all;
}

function hasNews({ open, reserve = [], admit, begin, release, ...outcome }: Decision): boolean {
  if (outcome.next !== undefined || outcome.failure !== undefined || outcome.setAside !== undefined) return false;
  return open.length + reserve.length + admit.length + begin.length + release.length > 0;
}

function apply({ live, sessionId }: VnfFacts, { open, reserve = [], admit, begin, release }: Decision): void {
  for (const name of begin) setPhase(live, name, 'maintaining');
  for (const name of open) setPhase(live, name, 'emptying');
  for (const name of release) giveBack(live, name);
  for (const { instanceId, target } of reserve) live.reserve(instanceId, target);
  for (const admission of admit) setClaim(live, sessionId, admission);
}

function setPhase(live: LiveFleet, hostname: string, phase: HostPhase): void {
  const host = live.hostByName.get(hostname);
  if (host?.work) live.setHost(withWork(host, { phase }));
}

function giveBack(live: LiveFleet, hostname: string): void {
  for (const { id } of instancesOn(live, hostname)) live.unreserve(id);
  setPhase(live, hostname, 'releasing');
}

function setClaim(live: LiveFleet, sessionId: string, { kind, instanceId, ...admission }: Admission): void {
  const instance = live.instanceById.get(instanceId);
  if (!instance) return;
  const { vcpus, memoryMb } = instance;
  const phase: Claim['phase'] = kind === 'ask' ? 'asked' : 'moving';
  live.setClaim({ ...admission, id: instanceId, sessionId, instanceId, vcpus, memoryMb, phase });
}

function withWork(host: Host, change: Partial<HostWork>): Host {
  return host.work ? { ...host, work: { ...host.work, ...change } } : host;
}

function joined(one: Decision, other: Decision): Decision {
  return {
    ...one,
    ...other,
    open: [...one.open, ...other.open],
    admit: [...one.admit, ...other.admit],
    begin: [...one.begin, ...other.begin],
    release: [...one.release, ...other.release],
    reserve: lastOfEach([...(one.reserve ?? []), ...(other.reserve ?? [])]),
  };
}

/** A later decision may reserve another place for the same instance. */
function lastOfEach(reservations: readonly Reservation[]): readonly Reservation[] {
  return [...new Map(reservations.map((reservation) => [reservation.instanceId, reservation])).values()];
}
