/** One session as text: its present work, its waits and their causes, its end, and the possible commands. */
import type { HostUnderWork, SessionProgressBody, SessionSummaryBody } from '../../../api/schemas/summary-schemas';
import { ownerInWords } from '../../../rules/obstacles/owner';
import { inWords, ownedWait } from '../../../rules/reasons/in-words';
import { withShortIds } from '../../../rules/words/names';
import { phaseCounts, phaseInWords } from '../../../rules/words/phases';
import { noEndWords, progressInWords } from '../../../rules/words/progress';
import { ageOf, clockOf, count, duration, endInWords, left, shortId } from '../../../rules/words/times';
import { workInWords } from '../../../rules/words/work-done';
import { blockerLines } from './blockers';
import type { Look } from './look';
import { type Column, tableOf, wrap } from './table';
import { bar, printable } from './terminal-text';

const barWidth = 20;

/**
 * @param nowMs for the ages; the API's clock, where it is known
 * @param isAtWork false while the service is not ready: no end is expected then
 */
export const sessionColumns = (nowMs: number, isAtWork = true): Column<SessionProgressBody>[] => [
  { title: 'ID', cell: ({ session_id: id }) => shortId(id) },
  { title: 'SESSION-ID', cell: ({ session_id: id }) => id, wide: true },
  { title: 'PROGRESS', cell: ({ progress }) => progressInWords(progress) },
  { title: 'STATE', cell: ({ state }) => state, mayGo: true },
  { title: 'DONE', cell: ({ percent_done: percent }) => `${percent}%` },
  { title: 'HOSTS', cell: ({ hosts_by_phase: phases, host_count: hosts }) => `${phases['maintained'] ?? 0}/${hosts}` },
  { title: 'WORKFLOW', cell: ({ workflow }) => workflow, wide: true },
  {
    title: 'ENDS-IN',
    // ~: roughly, by the records.
    cell: ({ seconds_left: seconds, end_from: from }) =>
      seconds === null || !isAtWork ? '-' : `${from === 'records' ? '~' : ''}${duration(seconds.expected)}`,
  },
  { title: 'AGE', cell: ({ created_at: at }) => ageOf(at, nowMs) },
  { title: 'NAME', cell: ({ name }) => name ?? '-', breaks: 'at words' },
];

/** @param isAtWork false while the service is not ready: nothing ends by itself then */
export const sessionLines = (summary: SessionSummaryBody, look: Look, isAtWork = true): string[] => [
  ...headLines(summary, look, isAtWork),
  ...section('UNDER WORK', underWorkTable(summary, look), look),
  ...section('WAITING', waitingTable(summary, look, isAtWork), look),
  ...section('IN THE WAY', blockerLines(summary.blockers.slice(0, rowsShown), look), look),
  ...section('YOU CAN', nextLines(summary, look), look),
];

const section = (title: string, lines: readonly string[], { paint }: Look): string[] =>
  lines.length === 0 ? [] : ['', paint.title(title), ...lines];

export const headLines = (summary: SessionSummaryBody, { columns, paint }: Look, isAtWork = true): string[] => {
  const { session_id: id, name, workflow, state, progress, percent_done: percent } = summary;
  const lines = [
    `Session   ${id}  ${workflow}`,
    ...(name === null ? [] : [`Name      ${name}`]),
    `Progress  ${progressInWords(progress)}, ${state}`,
    `Done      ${bar(percent, barWidth)} ${percent} %  ${endLine(summary, isAtWork)}`,
    `Hosts     ${phasesInWords(summary)}`,
    ...timeLines(summary, isAtWork),
    ...workDoneLines(summary),
  ];
  return lines.flatMap((line) => wrap(printable(line), columns, 10)).map((line) => paint.progress(line, progress));
};

const endLine = (summary: SessionSummaryBody, isAtWork: boolean): string => {
  const { progress, start_seconds_left: start, ends_at: end, end_from: from } = summary;
  if (progress === 'done') return 'it is done';
  if (!isAtWork && end !== null) return 'no end while the service is not ready';
  if (end === null && from === 'plan') return 'it would not come to its end: parley plan says why';
  if (end === null) return noEndWords(progress);
  const begins = start === null ? '' : `begins in ${duration(start)}, `;
  return `${begins}ends ${from === 'records' ? 'roughly ' : ''}${endInWords(summary)}`;
};

const phasesInWords = ({ host_count: hosts, hosts_by_phase: phases }: SessionSummaryBody): string => {
  return `${hosts}: ${phaseCounts(phases) || 'none'}`;
};

const timeLines = (summary: SessionSummaryBody, isAtWork: boolean): string[] => {
  const { deadline, deadline_seconds_left: untilDeadline, window_open: isOpen, window_seconds_left: window } = summary;
  const ends = summary.ends_at === null || !isAtWork ? [] : [`End       about ${clockOf(summary.ends_at.expected)}`];
  const deadlines =
    deadline === null
      ? []
      : [`Deadline  ${untilDeadline === null ? 'passed' : `in ${duration(untilDeadline)}`}, ${clockOf(deadline)}`];
  // An earlier version of the service does not tell it.
  const closed = typeof summary.frozen_by === 'string' ? `closed by ${summary.frozen_by}` : 'closed';
  const windows =
    isOpen === null
      ? []
      : [
          `Window    ${isOpen ? 'open' : closed}${window === null ? '' : `, ${isOpen ? 'closes' : 'opens'} in ${duration(window)}`}`,
        ];
  return [...ends, ...deadlines, ...windows];
};

/** When a session that has ended began and ended, and what it did. */
const workDoneLines = (summary: SessionSummaryBody): string[] => {
  const { begun_at: begun, ended_at: ended } = summary;
  if (ended === null) return [];
  const began = begun === null ? [] : [`Began     ${clockOf(begun)}`];
  const took = begun === null ? '' : `, after ${duration((Date.parse(ended) - Date.parse(begun)) / 1000)}`;
  return [...began, `Ended     ${clockOf(ended)}${took}`, `Did       ${workInWords(summary)}`];
};

const underWorkColumns: Column<HostUnderWork>[] = [
  { title: 'HOST', cell: ({ hostname }) => hostname },
  { title: 'PHASE', cell: ({ phase }) => phaseInWords(phase) },
  { title: 'FOR', cell: ({ phase_seconds: seconds }) => duration(seconds), mayGo: true },
  { title: 'VMS', cell: ({ instance_count: number }) => String(number), mayGo: true },
  { title: 'MOVING', cell: ({ moving_count: number }) => String(number), mayGo: true },
  { title: 'WAITS-FOR', cell: ({ waits_for: words }) => words ?? '-', breaks: 'at words' },
  { title: 'LEFT', cell: ({ seconds_left: seconds }) => left(seconds) },
];

const rowsShown = 12;

const underWorkTable = ({ under_work: hosts }: SessionSummaryBody, look: Look): string[] =>
  hosts.length === 0 ? [] : withMore(tableOf(underWorkColumns, hosts.slice(0, rowsShown), look), hosts.length, 'host');

const withMore = (lines: string[], all: number, what: string): string[] =>
  all > rowsShown ? [...lines, `and ${count(all - rowsShown, `further ${what}`)}`] : lines;

type Wait = SessionSummaryBody['waiting'][number];

const who = ({ host_count: hosts, instance_count: instances, names }: Wait): string => {
  const all = hosts + instances;
  if (all <= 1) return withShortIds(names[0] ?? 'the session');
  const parts = [hosts > 0 ? count(hosts, 'host') : '', instances > 0 ? count(instances, 'instance') : ''];
  return parts.filter((part) => part !== '').join(', ');
};

const waitingColumns = (isAtWork: boolean): Column<Wait>[] => [
  { title: 'WAITS-FOR', cell: (wait) => inWords(wait), breaks: 'at words' },
  { title: 'WHO', cell: who, breaks: 'at words' },
  { title: 'UP-TO', cell: (wait) => ownerInWords(ownedWait(wait), isAtWork), breaks: 'at words' },
  { title: 'LEFT', cell: ({ seconds_left: seconds }) => left(seconds) },
];

const waitingTable = ({ waiting }: SessionSummaryBody, look: Look, isAtWork: boolean): string[] =>
  waiting.length === 0
    ? []
    : withMore(tableOf(waitingColumns(isAtWork), waiting.slice(0, rowsShown), look), waiting.length, 'wait');

const commandOf: Readonly<Record<string, (id: string, hosts: readonly string[]) => string>> = {
  continue: (id) => `parley continue ${id}`,
  retry: (id, hosts) => `parley hosts retry ${hosts[0] ?? 'HOST'} -s ${id}`,
  skip: (id, hosts) => `parley hosts skip ${hosts[0] ?? 'HOST'} -s ${id}`,
};

export const nextLines = (
  { session_id: id, next }: Pick<SessionSummaryBody, 'session_id' | 'next'>,
  { columns }: Pick<Look, 'columns'>,
): string[] => {
  const commands = next.map(
    ({ request, hosts }) => commandOf[request]?.(shortId(id), hosts) ?? `parley ${request} ${shortId(id)}`,
  );
  const width = Math.max(0, ...commands.map((command) => command.length));
  return next.flatMap(({ because }, at) => {
    const command = commands[at] ?? '';
    const line = `${command.padEnd(width)}  ${because}`;
    return line.length <= columns ? [line] : [command, ...wrap(`    ${because}`, columns, 4)];
  });
};
