/** The tables that show the course of a session and where its time was spent. */
import type { SessionCourse } from '../../prisma/session/session-trace';
import type { CloudCalls } from './cloud-calls';
import type { LongestBlocks } from './event-loops';
import type { ActivityTimes, WorkflowHistory } from './histories';
import type { HostPhases } from './host-phases';
import type { Cores } from './measured-stack';
import { mean, percentile, sum } from './percentile';
import { printTable } from './print-table';

export interface SessionMeasured {
  /** The time from the request that created the first session until all were done. */
  readonly seconds: number;
  /** The course of all sessions. */
  readonly course: Pick<SessionCourse, 'hosts' | 'moves' | 'questions'> & { readonly phases: readonly HostPhases[] };
  readonly sessions: readonly WorkflowHistory[];
  readonly hosts: readonly WorkflowHistory[];
  readonly cores: Cores;
  /** The share of the machine's processors that was busy. */
  readonly busyShare: number;
  readonly peaksMb: readonly { readonly program: string; readonly mb: number }[];
  /** The number of times that an instance left the same host again. */
  readonly movesTwice: number;
  /** The longest time for which the event loop of a process stood still. */
  readonly blocksMs: LongestBlocks;
  readonly cloudCalls: CloudCalls;
  readonly replies: { readonly taken: number; readonly refused: number };
}

const printWhole = ({ seconds, course, busyShare, replies, movesTwice }: SessionMeasured, least: number): void => {
  const hosts = course.hosts.length;
  printTable('All sessions', [
    [
      'hosts',
      'moves',
      'moved twice',
      'questions about moves',
      'replies',
      'refused',
      'seconds',
      'least s',
      'hosts per hour',
      'machine busy',
    ],
    [
      String(hosts),
      String(course.moves.length),
      String(movesTwice),
      String(course.questions.length),
      String(replies.taken),
      String(replies.refused),
      seconds.toFixed(1),
      least.toFixed(1),
      ((hosts * 3600) / seconds).toFixed(0),
      `${(busyShare * 100).toFixed(0)} %`,
    ],
  ]);
};

const historyRow = (name: string, histories: readonly WorkflowHistory[]): string[] => {
  const runs = histories.flatMap(({ runEvents }) => runEvents);
  const events = sum(runs);
  const ofEach = events / Math.max(1, histories.length);
  const longest = Math.max(0, ...runs);
  return [name, String(histories.length), String(runs.length), String(events), ofEach.toFixed(0), String(longest)];
};

const printHistories = ({ sessions, hosts, course }: SessionMeasured): void => {
  const all = [...sessions, ...hosts];
  const perHost = sum(all.flatMap(({ runEvents }) => runEvents)) / Math.max(1, course.hosts.length);
  printTable(`Temporal events: ${perHost.toFixed(0)} for each host`, [
    ['workflow', 'number', 'runs', 'events', 'of each', 'longest run'],
    historyRow('session', sessions),
    historyRow('host', hosts),
  ]);
};

const printProcesses = ({ cores, seconds, course, peaksMb, blocksMs }: SessionMeasured): void => {
  const blockOf = (name: string): string => (name === 'api' || name === 'worker' ? blocksMs[name].toFixed(0) : '');
  const peakOf = (name: string): string => peaksMb.find(({ program }) => program === name)?.mb.toFixed(0) ?? '';
  const row = (name: string, used: number): string[] => {
    const msAMove = (used * seconds * 1000) / Math.max(1, course.moves.length);
    return [name, (used * seconds).toFixed(1), msAMove.toFixed(1), used.toFixed(2), peakOf(name), blockOf(name)];
  };
  const ofService = sum(Object.entries(cores).map(([name, used]) => (name === 'bench' ? 0 : used)));
  const rows = Object.entries(cores).map(([name, used]) => row(name, used));
  const heading = ['process', 'processor s', 'ms a move', 'cores busy', 'peak memory MiB', 'longest block ms'];
  printTable('Processes', [heading, ...rows, row('all without bench', ofService)]);
};

const phaseRow = (name: string, phases: readonly HostPhases[], of: (host: HostPhases) => number): string[] => {
  const seconds = phases.map((host) => of(host) / 1000);
  return [name, mean(seconds).toFixed(2), percentile(seconds, 0.5).toFixed(2), Math.max(0, ...seconds).toFixed(2)];
};

const printPhases = ({ phases }: SessionMeasured['course']): void => {
  printTable(`Where a host's time goes (${phases.length} hosts)`, [
    ['phase', 'mean s', 'p50 s', 'longest s'],
    phaseRow('opened to empty', phases, ({ emptyingMs }) => emptyingMs),
    phaseRow('empty to maintenance begun', phases, ({ noticingMs }) => noticingMs),
    phaseRow('maintenance begun to maintained', phases, ({ maintainingMs }) => maintainingMs),
  ]);
};

const runMsOf = ({ runMs }: ActivityTimes): number => runMs;

/** @param calls of one type */
const activityRow = (calls: readonly ActivityTimes[]): string[] => {
  const runMs = calls.map(runMsOf);
  return [
    calls[0]?.type ?? '',
    String(calls.length),
    String(calls.filter(({ attempt }) => attempt > 1).length),
    (sum(runMs) / 1000).toFixed(1),
    mean(runMs).toFixed(1),
    percentile(runMs, 0.5).toFixed(1),
    percentile(runMs, 0.99).toFixed(1),
    mean(calls.map(({ waitMs }) => waitMs)).toFixed(1),
  ];
};

const printActivities = ({ sessions, hosts }: SessionMeasured): void => {
  const all = [...sessions, ...hosts].flatMap(({ activities }) => activities);
  const types = [...new Set(all.map(({ type }) => type))];
  const rows = types
    .map((type) => all.filter((call) => call.type === type))
    .toSorted((one, other) => sum(other.map(runMsOf)) - sum(one.map(runMsOf)))
    .map(activityRow);
  const heading = ['activity', 'calls', 'retried', 'total s', 'mean ms', 'p50 ms', 'p99 ms', 'wait ms'];
  printTable('Where the time goes: activities, the most costly first', [heading, ...rows]);
};

const printCloudCalls = ({ cloudCalls, course }: SessionMeasured): void => {
  const ofHost = (calls: number): string => (calls / Math.max(1, course.hosts.length)).toFixed(1);
  const calls = [...cloudCalls].toSorted(([, one], [, other]) => other - one);
  printTable(`Calls of the cloud driver: ${ofHost(sum([...cloudCalls.values()]))} for each host`, [
    ['operation', 'calls', 'for each host'],
    ...calls.map(([operation, count]) => [operation, String(count), ofHost(count)]),
  ]);
};

/** @param leastSeconds the duration if deciding and recording took no time */
export const printSession = (measured: SessionMeasured, leastSeconds: number): void => {
  printWhole(measured, leastSeconds);
  printHistories(measured);
  printProcesses(measured);
  printPhases(measured.course);
  printCloudCalls(measured);
  printActivities(measured);
};
