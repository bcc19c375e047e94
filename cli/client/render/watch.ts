/** The live view of a session: pure pictures of what was seen last, counted down to this moment. */
import type { SessionSummaryBody } from '../../../api/schemas/summary-schemas';
import { phaseCounts } from '../../../rules/words/phases';
import { progressInWords } from '../../../rules/words/progress';
import { duration } from '../../../rules/words/times';
import type { Look } from './look';
import { sessionLines } from './session';
import { wrap } from './table';
import { printable } from './terminal-text';

export interface Seen {
  readonly summary: SessionSummaryBody;
  /** Seconds since the API gave it. */
  readonly ageSeconds: number;
  /** Lines of the service about itself, such as that no worker runs. */
  readonly notices?: readonly string[];
  /** The last ones, as lines. */
  readonly events: readonly string[];
  /** Seconds since which the API does not answer. */
  readonly awaySeconds?: number | undefined;
}

export interface PictureSize extends Look {
  readonly rows: number;
}

const eventsShown = 5;

/** Fits the terminal: the events at its end stay, and what is above gives way. */
export const watchPicture = (
  { summary, ageSeconds, events, awaySeconds, notices = [] }: Seen,
  screen: PictureSize,
): string[] => {
  const lasts = events.slice(-eventsShown).flatMap((line) => wrap(line, screen.columns, 10));
  const away =
    awaySeconds === undefined
      ? []
      : wrap(`The API does not answer for ${duration(awaySeconds)}; this is what was seen last.`, screen.columns);
  const foot = lasts.length === 0 ? [] : ['', screen.paint.title('LAST EVENTS'), ...lasts];
  const above = notices.flatMap((line) => wrap(printable(line), screen.columns, 2));
  const body = [...away, ...above, ...sessionLines(countedDown(summary, ageSeconds), screen, notices.length === 0)];
  const room = Math.max(1, screen.rows - 1 - foot.length);
  return [...(body.length > room ? [...body.slice(0, room - 1), '…'] : body), ...foot].slice(0, screen.rows - 1);
};

const minus = (seconds: number | null, age: number): number | null =>
  seconds === null ? null : Math.max(0, Math.ceil(seconds - age));

/** No clock but that of the API matters. */
export const countedDown = (summary: SessionSummaryBody, age: number): SessionSummaryBody => ({
  ...summary,
  start_seconds_left: minus(summary.start_seconds_left, age),
  deadline_seconds_left: minus(summary.deadline_seconds_left, age),
  window_seconds_left: minus(summary.window_seconds_left, age),
  seconds_left: summary.seconds_left && {
    earliest: minus(summary.seconds_left.earliest, age) ?? 0,
    expected: minus(summary.seconds_left.expected, age) ?? 0,
    latest: minus(summary.seconds_left.latest, age) ?? 0,
  },
  under_work: summary.under_work.map((host) => ({
    ...host,
    phase_seconds: Math.floor(host.phase_seconds + age),
    seconds_left: minus(host.seconds_left, age),
  })),
  waiting: summary.waiting.map((wait) => ({ ...wait, seconds_left: minus(wait.seconds_left, age) })),
});

/** A line whenever something has changed, for an output that is no terminal. */
export const changeLine = (
  before: SessionSummaryBody | undefined,
  { now, state, progress, percent_done: percent, seconds_left: seconds, hosts_by_phase: phases }: SessionSummaryBody,
): string | undefined => {
  const isNews =
    before?.state !== state ||
    before.progress !== progress ||
    before.percent_done !== percent ||
    JSON.stringify(before.hosts_by_phase) !== JSON.stringify(phases);
  if (!isNews) return undefined;
  const end = seconds === null ? [] : [`ends in ${duration(seconds.expected)}`];
  return [
    now.slice(11, 19),
    `session ${progressInWords(progress)}, ${state}`,
    `${percent} %`,
    phaseCounts(phases),
    ...end,
  ].join('  ');
};
