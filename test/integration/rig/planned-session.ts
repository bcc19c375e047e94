/** A session as its plan plays it in virtual time, with the faults of its course. */
import { hoursOf } from '../../../rules/cloud/terms';
import { choicesOf, impactShareIn } from '../../../rules/decisions/both-workflows/built-in-workflow';
import { fleetOfSession } from '../../../rules/decisions/both-workflows/fleet-of-session';
import type { Fleet, Instance } from '../../../rules/decisions/fleet/fleet';
import { seenThrough } from '../../../rules/decisions/fleet/seen-through';
import { usualTimes } from '../../../rules/decisions/fleet/usual-times';
import { withDefaultImpact } from '../../../rules/decisions/limits/default-impact';
import { nothingSeen } from '../../../rules/expectations/expected-times';
import { calendarOf } from '../../../rules/maintenance-windows/session-calendar';
import { hoursAhead } from '../../../rules/owner-times/hours-ahead';
import { actionOf } from '../../../rules/questions/action-by-answer';
import { type Faults, noFaults } from '../../../rules/simulation/faults';
import type { FleetInstance } from '../../../rules/simulation/file-fleet';
import { LearnedMaintenances } from '../../../rules/simulation/learned-maintenances';
import { playedWindowsOf } from '../../../rules/simulation/plan/opening-times';
import { scaleInMsOf } from '../../../rules/simulation/plan/play';
import type { SessionToPlay } from '../../../rules/simulation/session-to-play';
import type { Times } from '../../../rules/simulation/times';
import { asPlanned, simulatedSessionId, timesOf } from '../../../rules/simulation/virtual-fleet';
import { VirtualSessions } from '../../../rules/simulation/virtual-sessions';
import { type Effect, type PlayedCourse, refusalsIn, settingsOfPlay as settings } from './played-course';

const scaleIn = { rounds: settings.scaleInRounds, replySeconds: settings.scaleInReplySeconds };

export const playAsPlanned = (course: PlayedCourse): readonly Effect[] => {
  const { fleet, startMs, workflow } = course;
  const learned = new LearnedMaintenances(nothingSeen);
  const rolling = { workflow, rolling: null };
  const limited = withDefaultImpact(
    withOwnerTimes(withPods(asPlanned(fleet), course), course),
    impactShareIn(rolling, settings.defaultImpactShare),
  );
  const sessions = new VirtualSessions({
    fleet: learned.expectedIn(fleetOfSession(rolling, limited)),
    startMs,
    sessions: [sessionOf(course)],
    replySeconds: settings.projectReplySeconds,
    actionOf: (instance, admitted, isAnswered) =>
      isAnswered ? actionOf({ id: instance.id, defaultAction: admitted }, storedChoice(instance)) : admitted,
    scaleInMs: (sessionId, atScaleIn) => scaleInMsOf({ scaleIn }, sessionId, atScaleIn),
    maintained: ({ model }, hostname, ms) => learned.noteEnd(model, hostname, ms / 1000),
    ...timesAndFaults(course),
  });
  const { kind } = sessions.runUntilEndOf(simulatedSessionId);
  sessions.world.note(kind === 'complete' ? 'done' : 'fail', {});
  const states = sessions.statesOf(simulatedSessionId).map(({ state: of, fromMs }) => {
    return { t: (fromMs - startMs) / 1000, event: 'enter', of };
  });
  const seen = sessions.world.trace.flatMap(({ t, event, ...rest }) => {
    const of = effectOf[event]?.(rest);
    return of === undefined ? [] : [{ t, event, of }];
  });
  return [...states.filter(({ of }) => of !== 'MAINTENANCE_COMPLETE'), ...seen];
};

/** The simulated cloud has no pods. */
const withPods = (fleet: Fleet, { workflow, spreadsOf = () => [] }: PlayedCourse): Fleet => {
  if (workflow !== 'k8s') return fleet;
  const asPod = (instance: Instance): Instance => {
    const spreads = spreadsOf(instance.id);
    return { ...instance, defaultAction: 'EVICTION', ...(spreads.length > 0 && { spreads }) };
  };
  return { ...fleet, instances: fleet.instances.map(asPod) };
};

const withOwnerTimes = (fleet: Fleet, { notBeforeMs: times = new Map(), hoursOf: all, startMs }: PlayedCourse): Fleet =>
  seenThrough(fleet, [
    (instance) => {
      const notBeforeMs = times.get(instance.id);
      return notBeforeMs === undefined ? instance : { ...instance, ownerTimes: { notBeforeMs } };
    },
    (instance) => {
      const windows = hoursOf({ hours: all?.get(instance.projectId) });
      const hours = windows && hoursAhead({ hours: windows, ownerHours: null, calendar: undefined }, startMs);
      return hours === undefined
        ? instance
        : { ...instance, ownerTimes: { hours, impactMs: 1000 * usualTimes.moveSeconds } };
    },
  ]);

const sessionOf = ({ startMs, workflow, ...course }: PlayedCourse): SessionToPlay => {
  const { maxParallelHosts, maxFailedHosts = 0, canary, windows = null, enablesFailedHosts = false } = course;
  const calendar = calendarOf({ windows, ignoreFreezes: null }, course.freezes ?? []);
  const { defaultImpactShare } = settings;
  return {
    ...{ sessionId: simulatedSessionId, worksLike: workflow, beginsAtMs: startMs },
    limits: {
      ...{ defaultImpactShare, maxFailedHosts, ...choicesOf({ workflow, rolling: null }) },
      ...(maxParallelHosts !== undefined && { maxParallelHosts }),
    },
    steering: {
      enablesFailedHosts,
      ...(canary && { canary: { canary } }),
      ...(calendar && { windows: playedWindowsOf(calendar) }),
    },
  };
};

/** Projects choose the action that they have stored. */
const storedChoice = ({ id, migrationType }: Instance) => ({
  answer: 'ACK' as const,
  instanceActions: migrationType === undefined ? {} : { [id]: migrationType },
});

/** A move that fails does so half-way, and an own action that nobody carries out is over at its limit. */
const timesAndFaults = (course: PlayedCourse): { readonly times: Times; readonly faults: Faults } => {
  const { fleet, isBroken = () => false } = course;
  const isRefused = refusalsIn(course);
  const times = timesOf(fleet);
  const inFile = new Map(fleet.instances.map((instance) => [instance.instanceId, instance]));
  const failuresLeft = new Map(fleet.instances.map(({ instanceId, failMoves }) => [instanceId, failMoves]));
  const fails = (id: string): boolean => (failuresLeft.get(id) ?? 0) > 0;
  const isNotCarriedOut = (id: string, action: string): boolean =>
    action === 'OWN_ACTION' && inFile.get(id)?.actsItself === false;
  return {
    times: {
      ...times,
      moveMs: (instance, action) => {
        if (isNotCarriedOut(instance.id, action)) return ownActionSeconds(inFile.get(instance.id)) * 1000;
        return times.moveMs(instance, action) / (fails(instance.id) ? 2 : 1);
      },
    },
    faults: {
      ...noFaults,
      nackRetries: settings.nackRetries,
      nackRetrySeconds: settings.nackRetrySeconds,
      isRefused: (instances) => isRefused(instances.map(({ id }) => id)),
      failsMaintenance: isBroken,
      outcomeOf: ({ instanceId, action }) => {
        if (isNotCarriedOut(instanceId, action)) return 'expired';
        if (!fails(instanceId)) return 'done';
        failuresLeft.set(instanceId, (failuresLeft.get(instanceId) ?? 0) - 1);
        return action === 'LIVE_MIGRATE' ? 'forced' : 'failed';
      },
    },
  };
};

const ownActionSeconds = (instance: FleetInstance | undefined): number =>
  Math.max(settings.ownActionSeconds, instance?.constraints?.leadTime ?? 0);

const effectOf: Readonly<Record<string, (event: Readonly<Record<string, unknown>>) => string>> = {
  ...{ disable: ({ host }) => String(host), enable: ({ host }) => String(host), done: () => '', fail: () => '' },
  maintenance_start: ({ host }) => String(host),
  notify: ({ instance }) => String(instance),
  notify_project: ({ instances }) => String(instances).split(' ').sort().join(' '),
  move_start: ({ instance, to, action }) => `${String(instance)} to ${String(to)} by ${String(action)}`,
};
