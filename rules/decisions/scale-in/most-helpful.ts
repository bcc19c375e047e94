/** Which instance of each project should be scaled in: the one whose going lets a host be drained most cheaply. */
import { amountsText } from '../../cloud/amounts';
import { hostsToDo } from '../both-workflows/failed-controller';
import { shareOf } from '../fleet/capacity';
import type { Fleet, Instance } from '../fleet/fleet';
import { limitKeysOf } from '../fleet/limit-keys';
import { compareNumbers, compareText } from '../fleet/ordered';
import { FleetModel } from '../model/fleet-model';
import { instancesThatHelp } from './scale-in-need';
import { byLeastMissing, type Shortage, shortageOf } from './shortage';

/** Compare what is missing for this many hosts, those that need the least. */
const mostHosts = 3;
/** Try at most this many instances, over all projects: each costs a search for places. */
const mostTried = 500;
/**
 * Look at most this often whether an instance fits on a target, over all that are tried: it bounds the time, to about a
 * second. In a cloud of 300 hosts all 500 took twelve seconds, in which a worker did nothing else.
 */
const mostLooks = 500_000;

/** An instance of a project whose deletion helps. */
export interface Helpful {
  readonly projectId: string;
  readonly instanceId: string;
}

/** Chooses one instance of each of these projects, if it has one that helps; the most helpful first. */
export const mostHelpful = (fleet: Fleet, sessionId: string, projectIds: readonly string[]): readonly Helpful[] => {
  const model = new FleetModel(fleet);
  const nearest = hostsToDo(model, model.hostsOf(sessionId))
    .map((host) => shortageOf(model, host))
    .sort(byLeastMissing)
    .slice(0, mostHosts);
  const tries = triesFor(model, nearest);
  const candidates = candidatesOf(model, nearest, { projectIds, tries });
  const judged = candidates.map((one, at) => (at < tries ? judge(model, nearest, one) : notJudged(one)));
  const best = new Map<string, Helpful>();
  for (const { instance } of judged.sort(byHelp(model))) {
    const { id: instanceId, projectId } = instance;
    if (!best.has(projectId)) best.set(projectId, { projectId, instanceId });
  }
  return [...best.values()];
};

const triesFor = ({ capacity }: FleetModel, nearest: readonly Shortage[]): number => {
  const moves = nearest.reduce((sum, { instances }) => sum + instances.length, 0);
  const looks = moves * capacity.targets().length;
  return Math.max(1, Math.min(mostTried, Math.floor(mostLooks / Math.max(1, looks))));
};

interface CandidateRequest {
  readonly projectIds: readonly string[];
  readonly tries: number;
}

/** Takes one instance for all that are alike, and tries those of each project first that are just large enough. */
const candidatesOf = (
  model: FleetModel,
  nearest: readonly Shortage[],
  { projectIds, tries }: CandidateRequest,
): readonly Instance[] => {
  const [least] = nearest;
  if (!least) return [];
  const perProject = new Map(projectIds.map((projectId) => [projectId, new Map<string, Instance>()]));
  for (const instance of instancesThatHelp(model, nearest)) {
    const alike = perProject.get(instance.projectId);
    const kind = JSON.stringify([instance.host, amountsText(instance.amounts), ...limitKeysOf(instance)]);
    if (alike && !alike.has(kind) && mayGo(model, instance)) alike.set(kind, instance);
  }
  const each = Math.max(1, Math.floor(tries / projectIds.length));
  return [...perProject.values()].flatMap((alike) => [...alike.values()].sort(byFit(model, least)).slice(0, each));
};

/** True when no action is under way on it and it has no place elsewhere yet. */
const mayGo = (model: FleetModel, { id }: Instance): boolean => !model.reservedTarget.has(id) && model.isStaying(id);

/** The smallest of those as large as what is missing, then the largest of the others. */
const byFit = (
  { capacity }: FleetModel,
  { host, share: missing }: Shortage,
): ((one: Instance, other: Instance) => number) => {
  const whole = capacity.sizeOf(host);
  const cost = (instance: Instance): number => {
    const share = shareOf(capacity.sizeOf(instance), whole);
    return share >= missing ? share : 2 * missing - share;
  };
  return (one, other) => cost(one) - cost(other) || compareText(one.id, other.id);
};

interface Judged {
  readonly instance: Instance;
  /** The capacity still missing for the host that needs the least then, as a share of the host. */
  readonly stillMissing: number;
  /** The number of instances of that host that would have to move. */
  readonly moves: number;
}

const judge = (model: FleetModel, nearest: readonly Shortage[], instance: Instance): Judged => {
  const { capacity } = model;
  const mark = capacity.mark();
  capacity.drop(instance.host, instance);
  const left = nearest.map(({ host }): Judged => {
    const { share: stillMissing, instances } = shortageOf(model, host, instance.id);
    return { instance, stillMissing, moves: instances.length };
  });
  capacity.rollBack(mark);
  const [least = notJudged(instance)] = left.sort((one, other) =>
    compareNumbers([one.stillMissing, one.moves], [other.stillMissing, other.moves]),
  );
  return least;
};

/** Puts projects that were not tried, because there are too many, after all that were tried. */
const notJudged = (instance: Instance): Judged => ({ instance, stillMissing: Infinity, moves: Infinity });

/** The capacity still missing counts first, then how little the project gives up, then how few moves are left. */
const byHelp = ({ capacity }: FleetModel): ((one: Judged, other: Judged) => number) => {
  const costOf = ({ stillMissing, instance, moves }: Judged): readonly number[] => [
    stillMissing,
    capacity.weightOf(instance),
    moves,
  ];
  return (one, other) => compareNumbers(costOf(one), costOf(other)) || compareText(one.instance.id, other.instance.id);
};
