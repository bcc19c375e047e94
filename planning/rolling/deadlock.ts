/**
 * What to do when nothing can go on: a host that cannot be emptied is given back and tried later, a bounded
 * number of times; then it has failed and says what is lacking.
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

/** A host under work whose rest has no place. */
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
 * The way out of a deadlock: the least emptied of the session's stuck hosts, where nothing else can change anything.
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
 * Whether room may still come without anybody doing more: something of the session is in flight or recovering, another
 * host of it goes on, or what others have under work or in flight leaves enough for one of these when it has ended.
 */
function mayStillChange(situation: Situation, stuck: readonly Host[]): boolean {
  if (isAnythingOpen(situation) || isAnyStarting(situation) || isAnyRefusalPassing(situation, stuck)) return true;
  const working = situation.index.hosts.filter((host) => isUnderWork(host) && !stuck.includes(host));
  const own = working.filter(({ work }) => work?.sessionId === situation.view.sessionId);
  if (own.some((host) => !isInPhase('emptying')(host) || lackOfRest(situation, host) === undefined)) return true;
  return stuck.some((host) => isFreedBy(situation, returningFrom(working), host));
}

/** Of other sessions it says nothing: their projects may take days to answer, and give no room to this one. */
function isAnythingOpen({ index, nowMs, view }: Situation): boolean {
  return index.fleet.claims.some((claim) => claim.sessionId === view.sessionId && isOpen(claim, nowMs));
}

/** Of any session: how long a host may take to start is limited, and even a small one leaves less to ask for. */
function isAnyStarting({ index }: Situation): boolean {
  return index.hosts.some(isStarting);
}

/**
 * Whether a session that has nothing under work itself should wait for what others do, instead of asking for room: its
 * own actions are in flight or recover, or a host just maintained is starting, which is soon over; or what others have
 * under work or in flight will be what it waits for. A long maintenance, or question, that gives no room for any of its
 * hosts is not waited for.
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
  // Whatever keeps such a host from being opened, a place on it that another session reserved, is not for want of room.
  return todo.some((host) => isEmpty(index, host)) || cheapestToEmpty(situation, todo) !== undefined;
}

/** A target was refused to something that has to leave one of these, and the cloud is asked once more in any case. */
function isAnyRefusalPassing({ index, nowMs }: Situation, hosts: readonly Host[]): boolean {
  const instances = hosts.flatMap(({ name }) => instancesToMoveAway(index, name));
  return instances.some(({ id }) => untilPassed(refusalsOf(index, id), nowMs) !== undefined);
}

function waitsForController(index: FleetIndex, host: Host): boolean {
  return host.type === 'controller' && controllerOut(index, host) !== undefined;
}

/** Hosts under work that will be back: emptied first, each that can be, or as they are. */
interface Returning {
  readonly emptied: readonly Host[];
  readonly asTheyAre: readonly Host[];
}

function returningFrom(working: readonly Host[]): Returning {
  const isGivenBack = isInPhase('releasing');
  return { emptied: working.filter((host) => !isGivenBack(host)), asTheyAre: working.filter(isGivenBack) };
}

/** Whether the host could be emptied when all moves have ended and those are back, one after the other. */
function isFreedBy({ index, settled, reserved }: Situation, { emptied, asTheyAre }: Returning, host: Host): boolean {
  const hostnames = [...emptied.map(({ name }) => name), host.name];
  const givenBack = asTheyAre.filter(becomesTarget);
  return thoseThatEnd({ index, hostnames, settled, reserved, givenBack }).includes(host.name);
}

function byLeastEmptied({ index }: Situation, one: Host, other: Host): number {
  const difference = instancesOn(index, other.name).length - instancesOn(index, one.name).length;
  return difference || compareText(one.name, other.name);
}
