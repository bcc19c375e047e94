/**
 * Decides when nothing can continue: a host that cannot be drained is given back and tried later, a limited number of
 * times. Then it has failed, with the reason.
 */
import type { HostAdmission } from './admission';
import { isOpen } from '../limits/budget';
import { cheapestToEmpty, lackOfRest } from './emptying';
import type { Host } from '../fleet/fleet';
import { compareText, type FleetIndex, instancesOn, refusalsOf } from '../fleet/fleet-index';
import type { SetAside } from '../fleet/host-failure';
import { instancesToMoveAway, isEmpty } from '../fleet/host-content';
import { becomesTarget, controllerOut, isInPhase, isStarting, isUnderWork } from '../fleet/host-work';
import { hostsToDo } from './left-out-controller';
import type { Lack } from '../limits/placement';
import { cannotBeEmptied } from '../limits/reasons';
import { untilPassed } from '../limits/refusals';
import { thoseThatEnd } from './order';
import type { Situation } from './situation';

/** A host under work some of whose instances have no place. */
interface StuckHost {
  readonly host: Host;
  readonly lack: Lack;
}

export type WayOut =
  | { readonly kind: 'none' }
  | { readonly kind: 'release'; readonly hostname: string }
  | { readonly kind: 'fail'; readonly host: SetAside };

export function stuckHosts(admissions: readonly HostAdmission[]): readonly StuckHost[] {
  return admissions.flatMap(({ host, lack }) => (lack ? [{ host, lack }] : []));
}

/**
 * Breaks a deadlock: gives back the least drained of the session's stuck hosts, when nothing else can change anything.
 */
export function wayOut(situation: Situation, stuck: readonly StuckHost[]): WayOut {
  const [first] = stuck.toSorted((one, other) => byLeastEmptied(situation, one.host, other.host));
  const hosts = stuck.map(({ host }) => host);
  if (!first || mayStillChange(situation, hosts)) return { kind: 'none' };
  const { host, lack } = first;
  if ((host.work?.releases ?? 0) < situation.limits.releases) return { kind: 'release', hostname: host.name };
  return { kind: 'fail', host: { hostname: host.name, failure: cannotBeEmptied(host.name, lack) } };
}

/**
 * True when capacity may still come by itself: something of the session is in flight or recovering, another of its
 * hosts continues, or the end of others' work leaves enough for one of these hosts.
 */
function mayStillChange(situation: Situation, stuck: readonly Host[]): boolean {
  if (isAnythingOpen(situation) || isAnyStarting(situation) || isAnyRefusalPassing(situation, stuck)) return true;
  const working = situation.index.hosts.filter((host) => isUnderWork(host) && !stuck.includes(host));
  const own = working.filter(({ work }) => work?.sessionId === situation.view.sessionId);
  if (own.some((host) => !isInPhase('emptying')(host) || lackOfRest(situation, host) === undefined)) return true;
  return stuck.some((host) => isFreedBy(situation, returningFrom(working), host));
}

/** Ignores waits of other sessions: their projects may take days to answer, and free no capacity for this one. */
function isAnythingOpen({ index, nowMs, view }: Situation): boolean {
  return index.fleet.claims.some((claim) => claim.sessionId === view.sessionId && isOpen(claim, nowMs));
}

/**
 * A starting host of any session: its start has a time limit, and even a small host reduces what projects must free.
 */
function isAnyStarting({ index }: Situation): boolean {
  return index.hosts.some(isStarting);
}

/**
 * True when a session without hosts under work should wait for others instead of asking for capacity: its own actions
 * are in flight or recover; or a host just maintained is starting, which is soon over; or the end of others' work gives
 * what it waits for. It does not wait for a long maintenance, or question, that gives no capacity for any of its hosts.
 */
export function isWorthWaiting(situation: Situation): boolean {
  const { index, own } = situation;
  if (isAnythingOpen(situation) || isAnyStarting(situation)) return true;
  const todo = hostsToDo(index, own);
  if (isAnyRefusalPassing(situation, todo) || todo.some((host) => waitsForController(index, host))) return true;
  const working = index.hosts.filter(isUnderWork);
  for (const returning of [{ emptied: [], asTheyAre: working }, returningFrom(working)]) {
    if (todo.some((host) => isFreedBy(situation, returning, host))) return true;
  }
  // A place that another session reserved prevents the drain of such a host, not missing capacity.
  return todo.some((host) => isEmpty(index, host)) || cheapestToEmpty(situation, todo) !== undefined;
}

/**
 * True when a target was refused to an instance on one of these hosts, and the cloud will be asked once more anyway.
 */
function isAnyRefusalPassing({ index, nowMs }: Situation, hosts: readonly Host[]): boolean {
  const instances = hosts.flatMap(({ name }) => instancesToMoveAway(index, name));
  return instances.some(({ id }) => untilPassed(refusalsOf(index, id), nowMs) !== undefined);
}

function waitsForController(index: FleetIndex, host: Host): boolean {
  return host.type === 'controller' && controllerOut(index, host) !== undefined;
}

/** Hosts under work that will be back: those that can be drained first, or as they are. */
interface Returning {
  readonly emptied: readonly Host[];
  readonly asTheyAre: readonly Host[];
}

function returningFrom(working: readonly Host[]): Returning {
  const isGivenBack = isInPhase('releasing');
  return { emptied: working.filter((host) => !isGivenBack(host)), asTheyAre: working.filter(isGivenBack) };
}

/** True when the host could be drained after all moves have ended and those hosts are back, one after the other. */
function isFreedBy({ index, settled, reserved }: Situation, { emptied, asTheyAre }: Returning, host: Host): boolean {
  const hostnames = [...emptied.map(({ name }) => name), host.name];
  const givenBack = asTheyAre.filter(becomesTarget);
  return thoseThatEnd({ index, hostnames, settled, reserved, givenBack }).includes(host.name);
}

function byLeastEmptied({ index }: Situation, one: Host, other: Host): number {
  const difference = instancesOn(index, other.name).length - instancesOn(index, one.name).length;
  return difference || compareText(one.name, other.name);
}
