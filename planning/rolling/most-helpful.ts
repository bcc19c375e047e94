/**
 * Finds the instance of each project that should be scaled in: the one after whose deletion a host can be drained most
 * cheaply.
 */
import { type Outlook, outlookOn } from './emptying';
import type { Fleet, Instance } from '../fleet/fleet';
import { compareText, indexFleet, isInFlight, limitKeysOf } from '../fleet/fleet-index';
import { hostsOf } from '../fleet/host-work';
import type { Helpful } from '../questions/scale-in-round';
import { shareOf } from '../fleet/room';
import { hostsToDo } from './left-out-controller';
import { byLeastMissing, instancesThatHelp, shareMissing } from './scale-in';
import { type Shortage, shortageOf } from './shortage';

/** Compare the missing capacity for this many hosts, those that need the least. */
const mostHosts = 3;
/** Try at most this many instances, over all projects: each costs a search for places. */
const mostTried = 500;
/**
 * Check at most this often whether an instance fits on a target, over all that are tried. This limits the time to about
 * a second. In a cloud of 300 hosts all 500 took twelve seconds, in which a worker did nothing else.
 */
const mostLooks = 500_000;

/** One instance of each of these projects, if it has one that helps; the most helpful first. */
export function mostHelpful(fleet: Fleet, sessionId: string, projectIds: readonly string[]): readonly Helpful[] {
  const index = indexFleet(fleet);
  const outlook = outlookOn(index);
  const nearest = hostsToDo(index, hostsOf(index, sessionId))
    .map((host) => shortageOf(outlook, host))
    .sort(byLeastMissing)
    .slice(0, mostHosts);
  const tries = triesFor(outlook, nearest);
  const candidates = candidatesOf(outlook, nearest, { projectIds, tries });
  const judged = candidates.map((one, at) => (at < tries ? judge(outlook, nearest, one) : notJudged(one)));
  const best = new Map<string, Helpful>();
  for (const { instance } of judged.sort(byHelp)) {
    const { id: instanceId, projectId } = instance;
    if (!best.has(projectId)) best.set(projectId, { projectId, instanceId });
  }
  return [...best.values()];
}

function triesFor({ targets }: Outlook, nearest: readonly Shortage[]): number {
  const moves = nearest.reduce((sum, { instances }) => sum + instances.length, 0);
  return Math.max(1, Math.min(mostTried, Math.floor(mostLooks / Math.max(1, moves * targets.length))));
}

/** One instance for all that are alike; for each project first those that are just large enough. */
function candidatesOf(
  outlook: Outlook,
  nearest: readonly Shortage[],
  { projectIds, tries }: { readonly projectIds: readonly string[]; readonly tries: number },
): readonly Instance[] {
  const perProject = new Map(projectIds.map((projectId) => [projectId, new Map<string, Instance>()]));
  const hosts = nearest.map(({ host }) => host);
  for (const instance of instancesThatHelp(outlook, hosts)) {
    const alike = perProject.get(instance.projectId);
    const key = kindOf(instance);
    if (alike && !alike.has(key) && mayGo(outlook, instance)) alike.set(key, instance);
  }
  const [least] = nearest;
  if (!least) return [];
  const each = Math.max(1, Math.floor(tries / projectIds.length));
  return [...perProject.values()].flatMap((alike) => [...alike.values()].sort(byFit(least)).slice(0, each));
}

function kindOf(instance: Instance): string {
  return JSON.stringify([instance.host, instance.vcpus, instance.memoryMb, ...limitKeysOf(instance)]);
}

/** No action concerns it, and it has no place on another host yet. */
function mayGo({ index, reserved }: Outlook, { id }: Instance): boolean {
  const claim = index.claimByInstance.get(id);
  return !reserved.has(id) && (claim === undefined || !isInFlight(claim));
}

/** The smallest of those that are as large as the missing capacity, then the largest of the others. */
function byFit(least: Shortage): (one: Instance, other: Instance) => number {
  const missing = shareMissing(least);
  const cost = (instance: Instance): number => {
    const share = shareOf(instance, least.host);
    return share >= missing ? share : 2 * missing - share;
  };
  return (one, other) => cost(one) - cost(other) || compareText(one.id, other.id);
}

interface Judged {
  readonly instance: Instance;
  /** The capacity that would still be missing for the host that needs the least, as a share of the host. */
  readonly stillMissing: number;
  /** The number of instances of that host that would have to move. */
  readonly moves: number;
}

function judge({ now, ...outlook }: Outlook, nearest: readonly Shortage[], instance: Instance): Judged {
  const mark = now.mark();
  now.drop(instance.host, instance);
  const left = nearest.map(({ host }) => {
    const shortage = shortageOf({ now, ...outlook }, host, instance.id);
    return { instance, stillMissing: shareMissing(shortage), moves: shortage.instances.length };
  });
  now.rollBack(mark);
  const [least = notJudged(instance)] = left.sort(byRest);
  return least;
}

/** When there are more projects than can be tried: it comes after all that were tried. */
function notJudged(instance: Instance): Judged {
  return { instance, stillMissing: Infinity, moves: Infinity };
}

function byRest(one: Judged, other: Judged): number {
  return one.stillMissing - other.stillMissing || one.moves - other.moves;
}

/**
 * Compares first the capacity that is still missing, then how little the project gives up, then how few moves are left.
 */
function byHelp(one: Judged, other: Judged): number {
  return (
    one.stillMissing - other.stillMissing ||
    one.instance.vcpus - other.instance.vcpus ||
    one.instance.memoryMb - other.instance.memoryMb ||
    one.moves - other.moves ||
    compareText(one.instance.id, other.instance.id)
  );
}
