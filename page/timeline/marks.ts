/** The times that bound a session: when it is closed, its deadline, the end of its canary, and its expected end. */
import type { Plan, Summary } from '../client/types';
import { placeOf, type Range } from './layout';

export interface Mark {
  readonly kind: 'now' | 'deadline' | 'canary' | 'end';
  readonly words: string;
  readonly atMs: number;
}

export interface Bounds {
  /** The times at which the session may begin nothing. */
  readonly closed: readonly Range[];
  /** In the order in which they matter. */
  readonly marks: readonly Mark[];
  /** True: the line of the present stands at the end of the session. */
  readonly hasEnded?: boolean;
}

type MarkedPlan = Pick<Plan, 'openings' | 'canary_ends_at' | 'planned_at' | 'ends_at'>;
type MarkedSession = Pick<Summary, 'deadline' | 'begun_at' | 'ended_at'>;

export const boundsOf = (plan: MarkedPlan | undefined, session?: MarkedSession): Bounds => ({
  hasEnded: isOver(session),
  closed: plan === undefined ? [] : closedIn(plan.openings, knownTimes(plan, session)),
  marks: [
    ...markAt('deadline', 'deadline', session?.deadline ?? null),
    ...markAt('canary', 'canary done', plan?.canary_ends_at ?? null),
    ...markAt('end', 'expected end', plan?.ends_at?.expected ?? null),
  ],
});

const isOver = (session: MarkedSession | undefined): boolean => (session?.ended_at ?? null) !== null;

const knownTimes = ({ planned_at: at, ends_at: end }: MarkedPlan, session: MarkedSession | undefined): Range => ({
  fromMs: Date.parse(session?.begun_at ?? at),
  toMs: Date.parse(end?.latest ?? at),
});

const markAt = (kind: Mark['kind'], words: string, at: string | null): Mark[] =>
  at === null ? [] : [{ kind, words, atMs: Date.parse(at) }];

/** The times without an opening, as far as openings are known. */
export const closedIn = (openings: Plan['openings'], known: Range): Range[] => {
  if (openings === null) return [];
  const times = openings.map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) }));
  return [...times.map(({ fromMs }) => fromMs), known.toMs]
    .map((toMs, at) => ({ fromMs: times[at - 1]?.toMs ?? known.fromMs, toMs }))
    .filter(({ fromMs, toMs }) => toMs > fromMs);
};

export interface Label {
  readonly mark: Mark;
  readonly x: number;
  readonly row: number;
  /** The side of the line on which the words stand. */
  readonly side: 'start' | 'end';
}

/** Pixels of a letter, about. */
export const letterWidth = 6.2;
const gap = 8;

/** Marks in view, with their words side by side: those that would cover others stand in the next row. */
export const labelsOf = (marks: readonly Mark[], range: Range, width: number): Label[] => {
  const taken: { readonly row: number; readonly from: number; readonly to: number }[] = [];
  return marks
    .map((mark) => pointedTo(mark, range))
    .filter(({ atMs }) => atMs >= range.fromMs && atMs <= range.toMs)
    .map((mark): Label => {
      const x = (placeOf(mark.atMs, range) / 100) * width;
      const length = mark.words.length * letterWidth + gap;
      const side = x + length > width ? 'end' : 'start';
      const [from, to] = side === 'start' ? [x, x + length] : [x - length, x];
      const isFree = (row: number): boolean =>
        taken.every((one) => one.row !== row || one.to <= from || one.from >= to);
      const row = isFree(0) ? 0 : 1;
      taken.push({ row, from, to });
      return { mark, x, row, side };
    });
};

/** A deadline that is later than the view is told at its end. */
const pointedTo = (mark: Mark, { toMs }: Range): Mark =>
  mark.kind === 'deadline' && mark.atMs > toMs ? { ...mark, words: `${mark.words} →`, atMs: toMs } : mark;
