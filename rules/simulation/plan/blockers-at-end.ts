/** The blockers where the play came to no end: hosts that cannot be drained, and the capacity that is missing. */
import { type CannotBegin, causeOf, whyStuck } from '../../decisions/both-workflows/cannot-begin';
import { whyLeftOut } from '../../decisions/both-workflows/failed-controller';
import type { Host } from '../../decisions/fleet/fleet';
import { isDone } from '../../decisions/fleet/host-work';
import { FleetModel } from '../../decisions/model/fleet-model';
import { scaleInNeed } from '../../decisions/scale-in/scale-in-need';
import type { MissingCapacity } from '../../obstacles/blocker';
import { type Blocker, blocker } from '../../obstacles/blockers';
import { leastNeed } from '../../questions/scale-in-words';
import { holdBack } from '../../steering/hold-back';
import type { Ending } from '../session-to-play';
import type { BlockerFacts } from './blocker-facts';

/** Hosts that are explained: that costs a look at all targets. */
const mostExplained = 50;

/** Endings that block nothing, or are told by blockers-of-steering.ts. */
const toldBySteering: ReadonlySet<Ending['kind']> = new Set(['complete', 'paused', 'neverFits', 'windowsOver']);

/** @param inFleet those that the fleet told at once: what already stops a host is not told again */
export const blockersAtEnd = (facts: BlockerFacts, inFleet: readonly Blocker[]): readonly Blocker[] => {
  const { ending, fleetAtEnd, input } = facts;
  if (toldBySteering.has(ending.kind)) return [];
  const model = new FleetModel(fleetAtEnd);
  const left = model.hostsOf(input.sessionId).filter((host) => !isDone(host.work));
  const stopping = new Set(inFleet.filter(({ severity }) => severity === 'stops').map(({ subject }) => subject.id));
  const stuck = left.slice(0, mostExplained).flatMap((host) => whyStuck(model, host) ?? []);
  const untold = stuck.filter(
    ({ host, instances: [first] }) => !stopping.has(host.name) && !stopping.has(first?.id ?? ''),
  );
  const known = [
    ...noCapacity(facts),
    ...left.flatMap((host) => controllerLeftOut(model, host)),
    ...untold.map(hostNotDrained),
  ];
  if (ending.kind !== 'failed' || known.length > 0 || stuck.length > untold.length) return known;
  return [blocker('host_cannot_be_drained', { sessionId: input.sessionId, failure: ending.failure })];
};

const noCapacity = ({ ending, fleetAtEnd, input }: BlockerFacts): readonly Blocker[] => {
  if (ending.kind !== 'scaleIn') return [];
  const fittingNowhere = ending.fittingNowhere.map(({ who }) => who);
  const need = scaleInNeed(holdBack(fleetAtEnd, fittingNowhere), input.sessionId);
  if (!need) return [];
  const { projectIds, missing: amounts, wanted, missingOnHosts: onHosts } = need;
  return [blocker('no_capacity', { need: leastNeed(need), projectIds, missing: { amounts, wanted, onHosts } })];
};

const controllerLeftOut = (model: FleetModel, host: Host): readonly Blocker[] => {
  const cause = whyLeftOut(model, [host]);
  return cause ? [blocker('controller_left_out', { hostname: host.name, ...cause })] : [];
};

const hostNotDrained = (why: CannotBegin): Blocker => {
  const about = { hostname: why.host.name, projectId: why.instances[0]?.projectId, missing: missingBy(why) };
  return blocker('host_cannot_be_drained', { ...about, ...causeOf(why) });
};

const missingBy = (why: CannotBegin): MissingCapacity | undefined => {
  if (why.kind !== 'lack' || why.lack.kind !== 'room') return undefined;
  const { missing: amounts, wanted, closest } = why.lack;
  return { amounts, wanted, onHosts: closest === undefined ? 0 : 1 };
};
