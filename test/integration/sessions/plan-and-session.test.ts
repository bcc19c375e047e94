/**
 * Random fleets, each played twice: by the interpreter of plans in virtual time, and by the activities of the service
 * on rows and the simulated cloud, with a clock that the test sets. Decisions are the same code; here their effects are
 * compared: the same ones, at the same times. Whatever takes time takes as long as sessions expect, because sessions
 * learn what plans only suppose.
 */
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import type { WireFleet } from '../../../clouds/simulated/fleet-schema';
import { usualTimes } from '../../../rules/decisions/fleet/usual-times';
import { withDefaultImpact } from '../../../rules/decisions/limits/default-impact';
import { nothingSeen } from '../../../rules/expectations/expected-times';
import type { MaintenanceWindow } from '../../../rules/maintenance-windows/maintenance-window';
import { noFaults } from '../../../rules/simulation/faults';
import type { FileFleet } from '../../../rules/simulation/file-fleet';
import { LearnedMaintenances } from '../../../rules/simulation/learned-maintenances';
import { playedWindowsOf } from '../../../rules/simulation/plan/opening-times';
import { asPlanned, simulatedSessionId, timesOf } from '../../../rules/simulation/virtual-fleet';
import { VirtualSessions } from '../../../rules/simulation/virtual-sessions';
import type { Canary } from '../../../rules/steering/canary';
import { aRandomFleetFile } from '../../builders/a-random-fleet-file';
import { randomFrom } from '../../builders/random';
import { rigEnvironment } from '../rig/rig-settings';
import { type Effect, playOnRows } from '../rig/stepped-session';

const startMs = Date.parse('2030-01-01T00:00:00Z');
const share = 0.25;

/** How a session goes, beside its fleet. */
interface Course {
  /** Share of the managers that never answer. */
  readonly silent?: number;
  /** Share of the instances whose project refuses when it is asked for the first time. */
  readonly refusing?: number;
  readonly maxParallelHosts?: number;
  readonly canary?: Canary;
  readonly windows?: readonly MaintenanceWindow[];
}

/** The simulated cloud of virtual machines evicts nothing. */
const asVirtualMachine = (instance: WireFleet['instances'][number]): WireFleet['instances'][number] => ({
  ...instance,
  move_s: usualTimes.moveSeconds,
  ready_s: instance.ready_s === null ? null : usualTimes.answerSeconds,
  ...(instance.migration_type === 'EVICTION' && { migration_type: 'MIGRATE' as const }),
});

const aFleet = (seed: number, silent: number): FileFleet => {
  const shape = { computes: 4, controllers: 1, groups: 3, used: 0.4, silent };
  const file = aRandomFleetFile(shape, randomFrom(seed));
  const hosts = file.hosts.map((host) => ({ ...host, maintenance_s: usualTimes.maintenanceSeconds }));
  return parseFleet({ ...file, hosts, instances: file.instances.map(asVirtualMachine) });
};

/** True for the first question about some of the instances. */
const refusals = ({ refusing = 0 }: Course): ((instanceId: string) => boolean) => {
  const asked = new Set<string>();
  return (instanceId) => {
    const isFirst = !asked.has(instanceId);
    asked.add(instanceId);
    return isFirst && Number(instanceId.slice(-2)) % 10 < 10 * refusing;
  };
};

const settings = rigEnvironment({ databaseUrl: '', temporalAddress: '', namespace: '' });

const playAsPlanned = (fleet: FileFleet, course: Course): readonly Effect[] => {
  const { maxParallelHosts, canary, windows } = course;
  const learned = new LearnedMaintenances(nothingSeen);
  const isRefused = refusals(course);
  const sessions = new VirtualSessions({
    fleet: learned.expectedIn(withDefaultImpact(asPlanned(fleet), share)),
    startMs,
    sessions: [
      {
        ...{ sessionId: simulatedSessionId, worksLike: 'vnf', beginsAtMs: startMs },
        limits: { defaultImpactShare: share, maxFailedHosts: 0, ...(maxParallelHosts && { maxParallelHosts }) },
        steering: { ...(canary && { canary: { canary } }), ...(windows && { windows: playedWindowsOf({ windows }) }) },
      },
    ],
    times: timesOf(fleet),
    replySeconds: Number(settings['PARLEY_PROJECT_REPLY_SECONDS']),
    actionOf: ({ migrationType, defaultAction }) => migrationType ?? defaultAction,
    maintained: ({ model }, hostname, ms) => learned.noteEnd(model, hostname, ms / 1000),
    faults: {
      ...noFaults,
      nackRetries: Number(settings['PARLEY_NACK_RETRIES']),
      nackRetrySeconds: Number(settings['PARLEY_NACK_RETRY_SECONDS']),
      isRefused: (instances) => instances.some(({ id }) => isRefused(id)),
    },
  });
  const { kind } = sessions.runUntilEndOf(simulatedSessionId);
  sessions.world.note(kind === 'complete' ? 'done' : 'fail', {});
  return sessions.world.trace.flatMap(({ t, event, ...rest }) => {
    const of = effectOf[event]?.(rest);
    return of === undefined ? [] : [{ t, event, of }];
  });
};

const effectOf: Readonly<Record<string, (event: Readonly<Record<string, unknown>>) => string>> = {
  ...{ disable: ({ host }) => String(host), enable: ({ host }) => String(host), done: () => '', fail: () => '' },
  maintenance_start: ({ host }) => String(host),
  notify: ({ instance }) => String(instance),
  move_start: ({ instance, to }) => `${String(instance)} to ${String(to)}`,
};

/** Effects of one time are in no order: the service does them side by side. */
const inWords = (effects: readonly Effect[]): readonly string[] =>
  effects.map(({ t, event, of }) => `${t.toFixed(3).padStart(10)} ${event} ${of}`).sort();

const quarters: readonly MaintenanceWindow[] = ['00', '01', '02', '03', '04', '05'].map((hour) => ({
  ...{ dates: ['2030-01-01'], from: `${hour}:00`, to: `${hour}:40`, timeZone: 'UTC' },
}));

describe.each<Course & { what: string; seeds: readonly number[] }>([
  { what: 'as projects agree', seeds: [1, 2, 3] },
  { what: 'with silent projects', silent: 0.4, seeds: [6] },
  { what: 'with projects that refuse at first', refusing: 0.5, seeds: [7, 8] },
  { what: 'with one host at a time', maxParallelHosts: 1, seeds: [9] },
  { what: 'with a canary', canary: { hosts: 1, then: 'continue', waitSeconds: 60 }, seeds: [10] },
  { what: 'in maintenance windows', windows: quarters, seeds: [11] },
])('$what', ({ seeds, silent = 0, ...course }) => {
  it.each(seeds)('fleet %i has the same effects by plan and by session', async (seed) => {
    const fleet = aFleet(seed, silent);
    const { maxParallelHosts = null, canary = null, windows = null } = course;
    const session = { maxParallelHosts, ...(canary && { canary }), ...(windows && { windows }) };
    const isRefused = refusals(course);
    const onRows = await playOnRows({ fleet, startMs, session, isRefused });
    expect(inWords(onRows)).toEqual(inWords(playAsPlanned(fleet, course)));
  });
});
