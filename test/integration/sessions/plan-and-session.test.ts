/**
 * Random fleets, each played twice: by the interpreter of plans in virtual time, and by the activities of the service
 * on rows and a cloud, with a clock that the test sets. Decisions are the same code; here their effects are compared:
 * the same ones, at the same times. Surges are none of these effects: only the driver of Kubernetes knows of them.
 */
import type { Freeze } from '../../../rules/maintenance-windows/freeze';
import type { MaintenanceWindow } from '../../../rules/maintenance-windows/maintenance-window';
import { playAsPlanned } from '../rig/planned-session';
import type { Effect, PlayedCourse } from '../rig/played-course';
import { aRandomCourse, type CourseShape } from '../rig/random-course';
import { playOnRows } from '../rig/stepped-session';

/** Effects of one time are in no order: the service does them side by side. */
const inWords = (effects: readonly Effect[]): readonly string[] =>
  effects.map(({ t, event, of }) => `${t.toFixed(3).padStart(10)} ${event} ${of}`).sort();

const quarters: readonly MaintenanceWindow[] = ['00', '01', '02', '03', '04', '05'].map((hour) => ({
  ...{ dates: ['2030-01-01'], from: `${hour}:00`, to: `${hour}:40`, timeZone: 'UTC' },
}));

/** One while the session works, and one that repeats: also a session without windows waits. */
const freezes: readonly Freeze[] = [
  {
    ...{ name: 'rollout', reason: 'a new release is rolled out' },
    range: { fromMs: Date.parse('2030-01-01T00:10:00Z'), untilMs: Date.parse('2030-01-01T00:50:00Z') },
  },
  {
    ...{ name: 'backup', reason: 'backups run' },
    times: [{ days: ['tue'], from: '01:15', to: '01:55', timeZone: 'UTC' }],
  },
];

const failures = { broken: 0.3, failing: 0.3, maxFailedHosts: 4 };

const courses: readonly (CourseShape & { readonly what: string; readonly seeds: readonly number[] })[] = [
  { what: 'as projects agree', workflow: 'vnf', seeds: [1, 2, 3] },
  { what: 'with silent projects', workflow: 'vnf', silent: 0.4, seeds: [6] },
  { what: 'with projects that refuse at first', workflow: 'vnf', refusing: 0.5, seeds: [7, 8] },
  { what: 'with one host at a time', workflow: 'vnf', maxParallelHosts: 1, seeds: [9] },
  { what: 'with a canary', workflow: 'vnf', canary: { hosts: 1, then: 'continue', waitSeconds: 60 }, seeds: [10] },
  { what: 'in maintenance windows', workflow: 'vnf', windows: quarters, seeds: [11] },
  { what: 'while freezes last', workflow: 'vnf', freezes, seeds: [4] },
  { what: 'in maintenance windows that freezes shorten', workflow: 'vnf', windows: quarters, freezes, seeds: [5] },
  { what: 'with moves that fail', workflow: 'vnf', failing: 0.5, maxFailedHosts: 4, seeds: [12, 14] },
  { what: 'with projects that act themselves', workflow: 'vnf', acting: 0.6, seeds: [15] },
  { what: 'with hosts that fail', workflow: 'vnf', ...failures, seeds: [27] },
  { what: 'with hosts that fail and are enabled', workflow: 'vnf', ...failures, enablesFailedHosts: true, seeds: [26] },
  { what: 'with more failed hosts than may be', workflow: 'vnf', ...failures, maxFailedHosts: 1, seeds: [23] },
  { what: 'asked about hosts', workflow: 'default', seeds: [20] },
  { what: 'asked about hosts, not all answering', workflow: 'default', silent: 0.1, refusing: 0.2, seeds: [18] },
  { what: 'asked about hosts, with failures', workflow: 'default', ...failures, acting: 0.3, seeds: [30] },
  { what: 'with instances that owners put off', workflow: 'vnf', putOff: 0.4, seeds: [13, 16] },
  { what: 'asked about hosts, some put off', workflow: 'default', putOff: 0.3, seeds: [35, 36] },
  { what: 'in the hours of owners', workflow: 'vnf', inHours: 0.7, seeds: [41, 43, 44] },
  { what: 'asked about hosts, in the hours of owners', workflow: 'default', inHours: 0.7, seeds: [45] },
  { what: 'of pods', workflow: 'k8s', seeds: [32, 33, 34] },
];

const minuteOfDay = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Moves that begin when the owner of the instance does not want them, reckoned by the minutes of the day. */
const outsideHours = ({ fleet, hoursOf, startMs }: PlayedCourse, effects: readonly Effect[]): readonly Effect[] => {
  const projectOf = new Map(fleet.instances.map(({ instanceId, projectId }) => [instanceId, projectId]));
  return effects.filter(({ t, event, of }) => {
    const hours = hoursOf?.get(projectOf.get(of.split(' ')[0] ?? '') ?? '');
    if (event !== 'move_start' || hours === undefined) return false;
    const minute = ((startMs / 1000 + t) % 86_400) / 60;
    return !hours.some(({ from = '', to = '' }) => minute >= minuteOfDay(from) && minute < minuteOfDay(to));
  });
};

describe.each(courses)('$what', ({ what: _, seeds, ...shape }) => {
  it.each(seeds)('fleet %i has the same effects by plan and by session', async (seed) => {
    const course = aRandomCourse(seed, shape);
    const onRows = await playOnRows(course);
    expect(inWords(onRows)).toEqual(inWords(playAsPlanned(course)));
    expect(outsideHours(course, onRows)).toEqual([]);
  });
});
