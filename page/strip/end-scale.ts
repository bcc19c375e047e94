/** Where the moments of a session lie between its begin and its last one: in the bar at the top of its page. */
import type { Summary } from '../client/types';
import { placeOf, type Range } from '../timeline/layout';

export type EndFacts = Pick<
  Summary,
  'now' | 'begun_at' | 'maintenance_at' | 'ended_at' | 'ends_at' | 'deadline' | 'window_open' | 'window_seconds_left'
>;

/** All in percent of the width. */
export interface EndScale {
  readonly range: Range;
  /** The present, or the end of a session that is over. */
  readonly now: number;
  /** The expected end, with what it lies between; undefined: it is not known. */
  readonly end?: { readonly earliest: number; readonly expected: number; readonly latest: number };
  readonly deadline?: number;
  /** The next change of its windows and freezes: they close, or they open. */
  readonly turn?: { readonly at: number; readonly opens: boolean };
}

/** A window that closes long after everything else would press the rest into a corner, in lengths of the rest. */
const farthestTurn = 2;

/** @param nowMs by the clock of the service */
export const endScale = (facts: EndFacts, nowMs: number): EndScale => {
  const atMs = msOf(facts.ended_at) ?? nowMs;
  const fromMs = Math.min(atMs, msOf(facts.begun_at) ?? Date.parse(facts.maintenance_at));
  const { ends_at: end } = facts;
  const deadlineMs = msOf(facts.deadline);
  const lastMs = lastOf([atMs, fromMs + 1_000, deadlineMs, end ? lastShown(end, fromMs) : undefined]);
  const turn = turnOf(facts, { fromMs, toMs: lastMs });
  const toMs = lastOf([lastMs, turn?.atMs]);
  const range = { fromMs, toMs: toMs + (toMs - fromMs) * 0.02 };
  const place = (ms: number): number => placeOf(ms, range);
  const placeAt = (time: string): number => place(Date.parse(time));
  return {
    range,
    now: place(atMs),
    ...(end && {
      end: { earliest: placeAt(end.earliest), expected: placeAt(end.expected), latest: placeAt(end.latest) },
    }),
    ...(deadlineMs !== undefined && { deadline: place(deadlineMs) }),
    ...(turn && { turn: { at: place(turn.atMs), opens: turn.opens } }),
  };
};

/** A late end, as where nobody may answer, would press everything else together: its range then leaves the bar. */
const farthestEnd = 2.5;

const lastShown = ({ expected, latest }: NonNullable<EndFacts['ends_at']>, fromMs: number): number =>
  Math.min(Date.parse(latest), fromMs + (Date.parse(expected) - fromMs) * farthestEnd);

const msOf = (time: string | null | undefined): number | undefined => (time ? Date.parse(time) : undefined);

const lastOf = (moments: readonly (number | undefined)[]): number =>
  Math.max(...moments.filter((ms) => ms !== undefined));

const turnOf = (
  { now, ended_at: ended, window_open: isOpen, window_seconds_left: seconds }: EndFacts,
  { fromMs, toMs }: Range,
): { readonly atMs: number; readonly opens: boolean } | undefined => {
  if (ended !== null || isOpen === null || seconds === null) return undefined;
  const turnMs = Date.parse(now) + seconds * 1000;
  return turnMs - toMs > (toMs - fromMs) * farthestTurn ? undefined : { atMs: turnMs, opens: !isOpen };
};
