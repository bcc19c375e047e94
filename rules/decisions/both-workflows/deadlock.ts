/**
 * Decides what follows when a host under work cannot be drained and nothing will change that: it is given back and
 * tried later, a bounded number of times; then it has failed and says what is lacking. Whether a session with nothing
 * under work asks for capacity: scale-in/when-to-scale-in.ts.
 */
import { whyHeld } from '../../cloud/departure';
import type { Decision } from '../decision';
import type { Host } from '../fleet/fleet';
import { isStarting, isTarget, isUnderWork } from '../fleet/host-work';
import { compareText } from '../fleet/ordered';
import { ifTheseFail } from '../fleet/set-aside-or-fail';
import { untilPassed } from '../limits/refusals';
import type { FleetModel } from '../model/fleet-model';
import { instancesToMoveAway } from '../model/host-content';
import { couldTake } from '../model/may-take-it';
import { canBegin, type CannotBegin, failureNotBegun, whyCannotBegin, whyStuck } from './cannot-begin';
import { drainedFirst, isAnyFreedBy } from './hosts-that-end';
import { hostsThatMayHaveFailed, ownHosts, type SessionFacts } from './session-facts';

/** A host that was given back this often to break a deadlock has failed: it could not be drained, and will not be. */
const mostReleases = 2;

/**
 * Ends the deadlock of hosts that cannot be drained, because what is left on them has no place: gives the least drained
 * of them back, or lets it fail. Decides nothing while something else may still change.
 */
export const endDeadlock = (facts: SessionFacts): Partial<Decision> => {
  const { model, limits } = facts;
  const emptying = ownHosts(facts, 'emptying');
  const overdue = emptying.flatMap((host) => whyOverdue(model, host) ?? []);
  const stuck = emptying.filter((host) => !whyOverdue(model, host) && whyStuck(model, host) !== undefined);
  const [host] = stuck.toSorted((one, other) => byLeastDrained(model, one, other));
  const why = host && whyStuck(model, host);
  if (!why) return overdue.length === 0 || mayStillChange(facts, emptying) ? {} : withoutOverdue(facts, overdue);
  if (mayStillChange(facts, stuck)) return {};
  if (mayBeDrainedLater(model, host)) return { giveBackForDeadlock: [host.name] };
  return ifTheseFail(hostsThatMayHaveFailed(facts), [failureNotBegun(why)], limits.maxFailedHosts);
};

const mayBeDrainedLater = (model: FleetModel, { name, work }: Host): boolean =>
  (work?.releases ?? 0) < mostReleases && !model.instancesOn(name).some((instance) => whyHeld(instance)?.isLastTry);

const whyOverdue = (model: FleetModel, host: Host): CannotBegin | undefined => {
  const why = whyCannotBegin(model, host);
  return why?.kind === 'overdue' ? why : undefined;
};

/**
 * Hosts that wait for members which should serve by now are set aside where as many may fail. Else they wait: nobody
 * knows when the members are repaired, and then the session goes on by itself.
 */
export const withoutOverdue = (facts: SessionFacts, overdue: readonly CannotBegin[]): Partial<Decision> => {
  const { limits } = facts;
  const outcome = ifTheseFail(hostsThatMayHaveFailed(facts), overdue.map(failureNotBegun), limits.maxFailedHosts);
  return 'setAside' in outcome ? outcome : {};
};

const byLeastDrained = (model: FleetModel, one: Host, other: Host): number =>
  model.instancesOn(other.name).length - model.instancesOn(one.name).length || compareText(one.name, other.name);

/**
 * True when capacity may still come without anybody doing more: something of the session is in flight or recovering,
 * a project may answer that it acts itself, another host of the session goes on, or the work of other sessions will
 * free enough for one of the stuck hosts.
 */
const mayStillChange = (facts: SessionFacts, stuck: readonly Host[]): boolean => {
  const { model, sessionId } = facts;
  if (isSoonOver(facts) || isAnyReplacementExpected(facts, stuck)) return true;
  if (isAnyRefusalPassing(facts, stuck) || isAnyStatePassing(facts, stuck)) return true;
  if (isAnyHostPassing(model, stuck)) return true;
  const working = model.hosts.filter((host) => isUnderWork(host) && !stuck.includes(host));
  if (working.some(({ work }) => work?.sessionId === sessionId)) return true;
  // Room helps those alone that lack it.
  const lacking = stuck.filter((host) => canBegin(model, host));
  return isAnyFreedBy(model, drainedFirst(working), lacking);
};

/** A project that makes the replacement before it answers may have taken the last place: fleet/double-allocation.ts. */
const isAnyReplacementExpected = ({ model, ready }: SessionFacts, hosts: readonly Host[]): boolean => {
  if (ready === undefined) return false;
  const instances = hosts.flatMap(({ name }) => instancesToMoveAway(model, name));
  return instances.some(({ id, resourceMitigation }) => resourceMitigation === true && !ready.has(id));
};

/**
 * An action of the session is open, or a host of any session is starting, which is limited. Of actions of other
 * sessions it says nothing: their projects may take days to answer, and give no capacity to this one.
 */
export const isSoonOver = ({ model, sessionId }: SessionFacts): boolean =>
  model.hosts.some(isStarting) || [...model.claimByInstance.values()].some((claim) => claim.sessionId === sessionId);

/** A target was refused to something that has to leave one of these, and the cloud is asked once more in any case. */
export const isAnyRefusalPassing = (
  { model, nowMs }: Pick<SessionFacts, 'model' | 'nowMs'>,
  hosts: readonly Host[],
): boolean => {
  const instances = hosts.flatMap(({ name }) => instancesToMoveAway(model, name));
  return instances.some((instance) => untilPassed(model.refusalsOf(instance), nowMs) !== undefined);
};

/**
 * A host could take something that has to leave one of these, once what keeps it away from there for now has passed,
 * such as pressure on its disk.
 */
export const isAnyHostPassing = (model: FleetModel, hosts: readonly Host[]): boolean => {
  const passing = model.hosts.filter((host) => isTarget(host) && host.offersOnceItself !== undefined);
  if (passing.length === 0) return false;
  const instances = hosts.flatMap(({ name }) => instancesToMoveAway(model, name));
  return instances.some((instance) =>
    passing.some((host) => !model.classes.mayGo(instance, host) && couldTake(model, host, instance)),
  );
};

/** The state of an instance on one of these is expected to pass by itself, such as that of one that is being built. */
export const isAnyStatePassing = ({ model, nowMs }: SessionFacts, hosts: readonly Host[]): boolean =>
  hosts.some(({ name }) =>
    model.instancesOn(name).some((instance) => (whyHeld(instance)?.passesAtMs ?? nowMs) > nowMs),
  );
