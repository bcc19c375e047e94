/**
 * Finds the capacity that projects have to free so that work can go on, and the projects that could free it. Whether
 * they are asked at all: when-to-scale-in.ts. Who of them is asked next: rules/questions/scale-in-round.ts.
 */
import { type Amounts, amountsText } from '../../cloud/amounts';
import { cannotBeDrained } from '../../obstacles/blocker';
import { noPlaceCause, refusalWords } from '../../obstacles/no-place';
import { lackOfRest } from '../both-workflows/cheapest-to-drain';
import { hostsToDo } from '../both-workflows/failed-controller';
import { isAny, shareOf } from '../fleet/capacity';
import type { Fleet, Host, Instance } from '../fleet/fleet';
import { isDone } from '../fleet/host-work';
import { compareText } from '../fleet/ordered';
import { FleetModel } from '../model/fleet-model';
import { couldTake } from '../model/may-take-it';
import { byLeastMissing, type Shortage, shortageOf } from './shortage';
import { isAnyDrainable } from './when-to-scale-in';

/** The capacity that must be freed so that one host can be drained. */
export interface ScaleInNeed {
  readonly host: string;
  readonly missing: Amounts;
  /** What a host must have for the instances that wait, in words (model/classes.ts). */
  readonly wanted: readonly string[];
  /** The number of other hosts that lack that capacity; 0: no other host takes instances. */
  readonly missingOnHosts: number;
  /**
   * Instances for which anti-affinity leaves no slot on another host. The capacity of each counts as missing, since
   * one of them has to be scaled in.
   */
  readonly missingSlots: number;
  /** The words of the cloud about hosts that it refused to an instance there; left out: it refused none. */
  readonly refused?: string;
  readonly amount: MissingAmount;
  /** Projects whose scaling in would help, the one that could free most first. */
  readonly projectIds: readonly string[];
}

/** The missing capacity, in numbers that can be compared from one decision to the next. */
export interface MissingAmount {
  /** The session's hosts that are not maintained. */
  readonly hostsLeft: number;
  /** The capacity that is missing, as a share of the host that needs the least. */
  readonly share: number;
}

/**
 * The host that needs the least to be drained, how much is missing for it, and the projects of the session to ask;
 * undefined where a host is empty or can be drained now, or nothing is left to do.
 */
export const scaleInNeed = (fleet: Fleet, sessionId: string): ScaleInNeed | undefined => {
  const model = new FleetModel(fleet);
  const own = model.hostsOf(sessionId);
  const todo = hostsToDo(model, own);
  if (isAnyDrainable(model, todo)) return undefined;
  const [least] = todo.map((host) => atLeastOne(model, shortageOf(model, host))).sort(byLeastMissing);
  if (!least) return undefined;
  const hostsLeft = own.filter((host) => !isDone(host.work)).length;
  return {
    host: least.host.name,
    missing: model.resources.amountsOf(least.missing),
    wanted: [...new Set(least.lacking.flatMap((instance) => model.classes.wantedBy(instance)))].sort(),
    missingOnHosts: least.onHosts,
    missingSlots: least.blocked.length,
    ...refusalsOn(model, least.host),
    amount: { hostsLeft, share: least.share },
    projectIds: projectsToAsk(model, own, least),
  };
};

const refusalsOn = (model: FleetModel, host: Host): Pick<ScaleInNeed, 'refused'> => {
  const lack = lackOfRest(model, host);
  return lack?.kind === 'refused' ? { refused: refusalWords(lack.refusals) } : {};
};

/** Which instance of the host waits for which capacity or constraint and what would help; undefined: none does. */
export const whyNotDrained = (fleet: Fleet, hostname: string): string | undefined => {
  const model = new FleetModel(fleet);
  const host = model.hostByName.get(hostname);
  const lack = host && lackOfRest(model, host);
  return lack && cannotBeDrained(hostname, noPlaceCause(lack));
};

/** Enough in sum, and yet the host cannot be drained: one instance less, the smallest, is the least to ask for. */
const atLeastOne = ({ capacity }: FleetModel, shortage: Shortage): Shortage => {
  const smallest = shortage.instances.at(-1);
  if (isAny(shortage.missing) || !smallest) return shortage;
  const missing = capacity.sizeOf(smallest);
  const share = shareOf(missing, capacity.sizeOf(shortage.host));
  return { ...shortage, missing, share, onHosts: 1, lacking: [smallest] };
};

/**
 * Projects with instances on the session's hosts, ordered by how much they hold where freeing it helps: on the host
 * itself and on those that could take its instances. One that its own anti-affinity blocks comes first.
 */
const projectsToAsk = (model: FleetModel, own: readonly Host[], shortage: Shortage): readonly string[] => {
  const inSession = new Set(own.flatMap(({ name }) => model.instancesOn(name)).map(projectOf));
  const blocked = new Set(shortage.blocked.map(projectOf));
  const held = new Map<string, number>();
  for (const instance of instancesThatHelp(model, [shortage]).filter(({ isQuiet }) => !isQuiet)) {
    const soFar = held.get(instance.projectId) ?? 0;
    if (inSession.has(instance.projectId)) held.set(instance.projectId, soFar + model.capacity.weightOf(instance));
  }
  return [...held]
    .sort(
      ([one, ofOne], [other, ofOther]) =>
        Number(blocked.has(other)) - Number(blocked.has(one)) || ofOther - ofOne || compareText(one, other),
    )
    .map(([projectId]) => projectId);
};

/**
 * Selects instances on the hosts that lack room, or on a target that could take what waits there: deleting them would
 * help. Room on a host that may take none of it, or is too small for it even when empty, helps nobody.
 */
export const instancesThatHelp = (model: FleetModel, shortages: readonly Shortage[]): readonly Instance[] => {
  const lacking = onePerClass(shortages.flatMap((shortage) => shortage.lacking));
  const targets = model.capacity
    .targets()
    .filter(({ host }) => lacking.some((instance) => couldTake(model, host, instance)));
  const hosts = [...shortages.map(({ host }) => host), ...targets.map(({ host }) => host)];
  return [...new Set(hosts.map(({ name }) => name))].flatMap((name) => model.instancesOn(name));
};

const onePerClass = (instances: readonly Instance[]): readonly Instance[] => [
  ...new Map(instances.map((one) => [`${one.needs ?? ''} ${amountsText(one.amounts)}`, one])).values(),
];

const projectOf = ({ projectId }: Instance): string => projectId;
