/** The blockers where the play came to no end: hosts that cannot be drained, and the capacity that is missing. */
import { lackOfRest } from '../../decisions/both-workflows/cheapest-to-drain';
import { hostsToDo } from '../../decisions/both-workflows/failed-controller';
import type { Host } from '../../decisions/fleet/fleet';
import { isDone } from '../../decisions/fleet/host-work';
import type { Lack } from '../../decisions/limits/lack';
import { FleetModel } from '../../decisions/model/fleet-model';
import { scaleInNeed } from '../../decisions/scale-in/scale-in-need';
import type { MissingCapacity } from '../../obstacles/blocker';
import { type Blocker, blocker } from '../../obstacles/blockers';
import { noPlaceWords } from '../../obstacles/no-place';
import { leastNeed } from '../../questions/scale-in-words';
import { holdBack } from '../../steering/hold-back';
import type { Ending } from '../session-to-play';
import type { BlockerFacts } from './blocker-facts';

/** Hosts that are explained: that costs a look at all targets. */
const mostExplained = 50;

/** Endings that block nothing, or are told by blockers-of-steering.ts. */
const toldBySteering: ReadonlySet<Ending['kind']> = new Set(['complete', 'paused', 'neverFits', 'windowsOver']);

export const blockersAtEnd = (facts: BlockerFacts): readonly Blocker[] => {
  const { ending, fleetAtEnd, input } = facts;
  if (toldBySteering.has(ending.kind)) return [];
  const model = new FleetModel(fleetAtEnd);
  const left = model.hostsOf(input.sessionId).filter((host) => !isDone(host.work));
  const stuck = left.slice(0, mostExplained).flatMap((host) => hostNotDrained(model, host));
  const known = [...noCapacity(facts), ...controllersLeftOut(facts, model, left), ...stuck];
  if (ending.kind !== 'failed' || known.length > 0) return known;
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

const controllersLeftOut = (
  { input: { sessionId } }: BlockerFacts,
  model: FleetModel,
  left: readonly Host[],
): readonly Blocker[] => {
  const todo = new Set(hostsToDo(model, left).map(({ name }) => name));
  return left
    .filter(({ name, type }) => type === 'controller' && !todo.has(name))
    .map(({ name: hostname }) => blocker('controller_left_out', { hostname, sessionId }));
};

const hostNotDrained = (model: FleetModel, host: Host): readonly Blocker[] => {
  const lack = lackOfRest(model, host);
  if (!lack) return [];
  const { projectId } = lack.instance;
  const missing = missingBy(lack);
  return [blocker('host_cannot_be_drained', { hostname: host.name, projectId, ...noPlaceWords(lack), missing })];
};

const missingBy = (lack: Lack): MissingCapacity | undefined => {
  if (lack.kind !== 'room') return undefined;
  const { missing: amounts, wanted, closest } = lack;
  return { amounts, wanted, onHosts: closest === undefined ? 0 : 1 };
};
