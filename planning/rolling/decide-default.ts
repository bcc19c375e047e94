/**
 * The rolling states of the workflow `default`: it drains one compute at a time, maintains controllers one at a time
 * beside the computes, and keeps every move within the constraints.
 */
import { type HostAdmission, admitFrom } from './admission';
import { type WayOut, isWorthWaiting, stuckHosts, wayOut } from './deadlock';
import type { Decision, SessionView } from '../decision';
import { cheapestToEmpty } from './emptying';
import type { Host, SessionState, Waiting } from '../fleet/fleet';
import { hostsNotOpened, hostsNotReady, untilNextDecision } from './host-waiting';
import { isEmpty, isVacated } from '../fleet/host-content';
import { asOwned, failureOfHosts, ifTheseFail } from '../fleet/host-failure';
import { controllerOut, isDone, isInPhase, isUnderWork } from '../fleet/host-work';
import { failureOfLeftOutController } from './left-out-controller';
import { longestWaitMs } from '../look-again';
import { type PlanningLimits, type Situation, lookAt } from './situation';

/**
 * The session's next steps. Decides from the snapshot alone: the same facts give the same decision.
 *
 * @throws RangeError for a state that is not a rolling one
 */
export function decideDefault(view: SessionView, nowMs: number, limits: PlanningLimits): Decision {
  return decideDefaultIn(lookAt({ view, nowMs, limits }));
}

/**
 * The same, on facts that are indexed already.
 *
 * @throws RangeError for a state that is not a rolling one
 */
export function decideDefaultIn(situation: Situation): Decision {
  const { own, view, limits } = situation;
  const failure = failureOfHosts(asOwned(own), limits.maxFailedHosts);
  if (failure !== undefined) return { ...nothing, failure };
  const decide = rollingStates[view.state];
  if (!decide) throw new RangeError(`state ${view.state} is not one in which hosts are worked on`);
  return decide(situation);
}

const rollingStates: Partial<Record<SessionState, (situation: Situation) => Decision>> = {
  PREPARE_MAINTENANCE: prepareMaintenance,
  START_MAINTENANCE: startMaintenance,
  PLANNED_MAINTENANCE: plannedMaintenance,
};

/** Drains a first compute, until a host is empty. */
function prepareMaintenance(situation: Situation): Decision {
  if (hasHostToBeginWith(situation) || isAllOver(situation)) return goTo('START_MAINTENANCE');
  const open = nextComputeToEmpty(situation, []);
  if (isIdle(situation, open)) return whenIdle(situation);
  return goOn(situation, { open, begin: [] });
}

/** Begins all hosts that are empty; ends when they are announced. */
function startMaintenance(situation: Situation): Decision {
  const open = emptyHostsToOpen(situation);
  const begin = hostsToBegin(situation);
  if (open.length === 0 && !isAnyToBeAnnounced(situation)) {
    return goTo(isAllOver(situation) ? 'MAINTENANCE_COMPLETE' : 'PLANNED_MAINTENANCE');
  }
  return { ...nothing, open: namesOf(open), begin: namesOf(begin), ...waitingFor(situation, hostsNotReady(situation)) };
}

/** Drains one compute after the other, until all hosts are maintained. */
function plannedMaintenance(situation: Situation): Decision {
  if (isAllOver(situation)) return goTo('MAINTENANCE_COMPLETE');
  const empty = emptyHostsToOpen(situation);
  const open = [...empty, ...nextComputeToEmpty(situation, empty)];
  if (isIdle(situation, open)) return whenIdle(situation);
  return goOn(situation, { open, begin: hostsToBegin(situation) });
}

// What is there

function isAllOver({ own }: Situation): boolean {
  return own.every(({ work }) => isDone(work));
}

/** A host that was drained and disabled, one whose maintenance has begun, or an untouched empty one. */
function hasHostToBeginWith({ own, index }: Situation): boolean {
  return own.some((host) => {
    if (isInPhase('maintaining')(host)) return true;
    if (isInPhase('emptying')(host)) return isEmpty(index, host) && host.work?.disabled === true;
    return isInPhase('waiting')(host) && isEmpty(index, host);
  });
}

function isAnyToBeAnnounced({ own, index }: Situation): boolean {
  return own.some((host) => {
    if (isInPhase('maintaining')(host)) return host.work?.announced !== true;
    return isInPhase('emptying')(host) && isEmpty(index, host);
  });
}

/** Nothing of the session is under work or could be, and nobody's work will change that: only scaling in helps. */
function isIdle(situation: Situation, open: readonly Host[]): boolean {
  return open.length === 0 && !situation.own.some(isUnderWork) && !isWorthWaiting(situation);
}

/** Scaling in helps, unless only controllers are left that wait for one on which nobody works. */
function whenIdle({ index, own }: Situation): Decision {
  const failure = failureOfLeftOutController(index, own);
  return failure === undefined ? goTo('SCALE_IN') : { ...nothing, failure };
}

// What to open and begin

/** All computes that are empty, and one controller when none is under work. */
function emptyHostsToOpen({ own, index }: Situation): readonly Host[] {
  const empty = own.filter((host) => isInPhase('waiting')(host) && isEmpty(index, host));
  const controllers = empty.filter((host) => isController(host) && controllerOut(index, host) === undefined);
  return [...empty.filter((host) => !isController(host)), ...controllers.slice(0, 1)];
}

/**
 * The compute to drain next; none while one is under work, or was put under work by this decision (`opened`), so that
 * its instances move first.
 */
function nextComputeToEmpty(situation: Situation, opened: readonly Host[]): readonly Host[] {
  const { own, index } = situation;
  if ([...own.filter(isUnderWork), ...opened].some(({ isCompute }) => isCompute)) return [];
  const mayOpen = (host: Host): boolean =>
    !isController(host) || (controllerOut(index, host) === undefined && !opened.some(isController));
  const candidates = own.filter((host) => isToBeEmptied(situation, host) && mayOpen(host));
  const next = cheapestToEmpty(situation, candidates);
  return next ? [next] : [];
}

function isToBeEmptied({ index }: Situation, host: Host): boolean {
  // An instance on its way there may have to be forced, which a disabled target would refuse.
  return isInPhase('waiting')(host) && !isEmpty(index, host) && !index.incomingByHost.has(host.name);
}

function isController({ type }: Host): boolean {
  return type === 'controller';
}

function hostsToBegin({ own, index }: Situation): readonly Host[] {
  return own.filter((host) => isInPhase('emptying')(host) && host.work?.disabled === true && isVacated(index, host));
}

// What to admit, and what waits

interface Work {
  readonly open: readonly Host[];
  readonly begin: readonly Host[];
}

/** Puts these hosts under work, begins those, and admits the possible moves; or breaks a deadlock. */
function goOn(situation: Situation, { open, begin }: Work): Decision {
  const opening = new Set(namesOf(open));
  const targets = situation.targets.filter(({ host }) => !opening.has(host.name));
  const admissions = admitFrom({ ...situation, targets }, hostsWithInstances(situation));
  const out = wayOutUnlessWorking(situation, open, admissions);
  if (out.kind === 'fail') {
    return { ...nothing, ...ifTheseFail(asOwned(situation.own), [out.host], situation.limits.maxFailedHosts) };
  }
  const reasons = [
    ...admissions.flatMap(({ waiting }) => waiting),
    ...hostsNotReady(situation),
    ...hostsNotOpened(situation, open),
  ];
  return {
    ...nothing,
    open: namesOf(open),
    admit: admissions.flatMap(({ admit }) => admit),
    begin: namesOf(begin),
    release: out.kind === 'release' ? [out.hostname] : [],
    ...waitingFor(situation, reasons),
  };
}

/** A host that is put under work or an instance that is admitted now may change everything. */
function wayOutUnlessWorking(
  situation: Situation,
  open: readonly Host[],
  admissions: readonly HostAdmission[],
): WayOut {
  const isWorking = open.length > 0 || admissions.some(({ admit }) => admit.length > 0);
  return isWorking ? { kind: 'none' } : wayOut(situation, stuckHosts(admissions));
}

function hostsWithInstances({ own, index }: Situation): readonly Host[] {
  return own.filter((host) => isInPhase('emptying')(host) && !isEmpty(index, host));
}

// The shape of a decision

const nothing: Decision = {
  open: [],
  admit: [],
  begin: [],
  release: [],
  waiting: [],
  lookAgainMs: longestWaitMs,
};

function goTo(next: SessionState): Decision {
  return { ...nothing, next };
}

function waitingFor(situation: Situation, waiting: readonly Waiting[]): Pick<Decision, 'waiting' | 'lookAgainMs'> {
  return { waiting, lookAgainMs: untilNextDecision(situation) };
}

function namesOf(hosts: readonly Host[]): readonly string[] {
  return hosts.map(({ name }) => name);
}
