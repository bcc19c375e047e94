/**
 * The rolling states of the workflow `default`: one compute is drained at a time (which one:
 * both-workflows/cheapest-to-drain.ts), controllers go one at a time beside the computes, and every move stays within
 * the constraints (admit-default.ts).
 */
import { isHeld } from '../both-workflows/cannot-begin';
import { cheapestToDrain } from '../both-workflows/cheapest-to-drain';
import { endDeadlock } from '../both-workflows/deadlock';
import {
  hostsThatMayHaveFailed,
  isAllDone,
  isAnyToBeAnnounced,
  ownHosts,
  ownUnderWork,
  readyToBegin,
  type SessionFacts,
} from '../both-workflows/session-facts';
import { hostsNotDrained, hostsNotReady, instancesWaiting, untilNextDecision } from '../both-workflows/waiting-reasons';
import { type Decision, goTo, isOutcome, namesOf, nothingDecided } from '../decision';
import type { Host, SessionState } from '../fleet/fleet';
import { byRequest, controllerOut } from '../fleet/host-work';
import { failureOfHosts } from '../fleet/set-aside-or-fail';
import { isEmpty } from '../model/host-content';
import { whenIdle } from '../scale-in/when-to-scale-in';
import { admitDefault } from './admit-default';

/**
 * The decision of the session now, from these facts alone: asked again on the same facts, it says the same.
 *
 * @throws RangeError for a state that is not a rolling one
 */
export const decideDefaultOn = (facts: SessionFacts): Decision => {
  const failure = failureOfHosts(hostsThatMayHaveFailed(facts), facts.limits.maxFailedHosts);
  if (failure !== undefined) return { ...nothingDecided, failure };
  const decide = rollingStates[facts.state];
  if (!decide) throw new RangeError(`state ${facts.state} is not one in which hosts are worked on`);
  const { capacity } = facts.model;
  const mark = capacity.mark();
  const decision = decide(facts);
  capacity.rollBack(mark);
  return decision;
};

/** Drains a first compute, until there is a host to begin with. */
const prepareMaintenance = (facts: SessionFacts): Decision => {
  if (hasHostToBeginWith(facts) || isAllDone(facts)) return goTo('START_MAINTENANCE');
  return rollOn(facts, { drain: nextComputeToDrain(facts, []), begin: [] });
};

/** Begins all hosts that are empty; ends when they are announced. */
const startMaintenance = (facts: SessionFacts): Decision => {
  const drain = emptyHostsToDrain(facts);
  const begin = readyToBegin(facts);
  if (drain.length === 0 && !isAnyToBeAnnounced(facts)) {
    return goTo(isAllDone(facts) ? 'MAINTENANCE_COMPLETE' : 'PLANNED_MAINTENANCE');
  }
  const lookAgainMs = untilNextDecision(facts);
  return {
    ...nothingDecided,
    drain: namesOf(drain),
    begin: namesOf(begin),
    waiting: hostsNotReady(facts),
    lookAgainMs,
  };
};

/** Rolls on, one compute after the other, until all hosts are maintained. */
const plannedMaintenance = (facts: SessionFacts): Decision => {
  if (isAllDone(facts)) return goTo('MAINTENANCE_COMPLETE');
  const empty = emptyHostsToDrain(facts);
  const drain = [...empty, ...nextComputeToDrain(facts, empty)];
  return rollOn(facts, { drain, begin: readyToBegin(facts) });
};

const rollingStates: Partial<Record<SessionState, (facts: SessionFacts) => Decision>> = {
  PREPARE_MAINTENANCE: prepareMaintenance,
  START_MAINTENANCE: startMaintenance,
  PLANNED_MAINTENANCE: plannedMaintenance,
};

// The hosts and their work

/** A host that was drained and disabled, one that is begun already, or an untouched empty one. */
const hasHostToBeginWith = (facts: SessionFacts): boolean =>
  ownHosts(facts, 'maintaining').length > 0 ||
  ownHosts(facts, 'emptying').some((host) => isEmpty(facts.model, host) && host.work?.disabled === true) ||
  ownHosts(facts, 'waiting').some((host) => isEmpty(facts.model, host));

// Hosts to drain and to maintain

/** All computes that are empty, and one controller where none is under work. */
const emptyHostsToDrain = (facts: SessionFacts): readonly Host[] => {
  const empty = ownHosts(facts, 'waiting')
    .filter((host) => isEmpty(facts.model, host))
    .toSorted(byRequest);
  const [controller] = empty.filter((host) => isController(host) && controllerOut(facts.model, host) === undefined);
  return empty.filter((host) => !isController(host) || host === controller);
};

/** The compute to drain next; none while one is under work or `started` just now, so that its instances go there. */
const nextComputeToDrain = (facts: SessionFacts, started: readonly Host[]): readonly Host[] => {
  if ([...ownUnderWork(facts), ...started].some(({ isCompute }) => isCompute)) return [];
  const { model } = facts;
  const candidates = ownHosts(facts, 'waiting').filter((host) => {
    // A move to it may have to be forced, which a disabled target would refuse.
    if (isEmpty(model, host) || model.incomingByHost.has(host.name) || isHeld(model, host)) return false;
    return !isController(host) || (controllerOut(model, host) === undefined && !started.some(isController));
  });
  const next = cheapestToDrain(model, candidates);
  return next ? [next] : [];
};

const isController = ({ type }: Host): boolean => type === 'controller';

// Instances to admit, and reasons of those that wait

interface DefaultWork {
  readonly drain: readonly Host[];
  readonly begin: readonly Host[];
}

/** Drains and begins these, and admits what may move; or leaves the deadlock that it finds. */
const rollOn = (facts: SessionFacts, { drain, begin }: DefaultWork): Decision => {
  const isIdle = drain.length === 0 && ownUnderWork(facts).length === 0;
  const idle = isIdle ? whenIdle(facts) : {};
  if (isOutcome(idle)) return { ...nothingDecided, ...idle };
  const { model } = facts;
  for (const { name } of drain) model.capacity.removeTarget(name);
  const admit = admitDefault(facts, ownHosts(facts, 'emptying'));
  // A host that is drained or an instance that is admitted now may change everything.
  const out = drain.length + admit.length > 0 ? {} : endDeadlock(facts);
  if (isOutcome(out)) return { ...nothingDecided, ...out };
  return {
    ...nothingDecided,
    drain: namesOf(drain),
    admit,
    begin: namesOf(begin),
    ...out,
    waiting: [
      ...instancesWaiting(facts, { admit }),
      ...hostsNotReady(facts),
      ...(drain.length > 0 ? [] : hostsNotDrained(facts)),
    ],
    lookAgainMs: untilNextDecision(facts),
  };
};
