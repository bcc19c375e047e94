/** The part of the timeline that is in view: zoomed and moved within the whole, never beyond it. */
import type { Range } from './layout';

/** Nobody needs less than a minute. */
const shortestMs = 60_000;

const lengthOf = ({ fromMs, toMs }: Range): number => toMs - fromMs;

const within = (fromMs: number, length: number, whole: Range): Range => {
  const begin = Math.max(whole.fromMs, Math.min(fromMs, whole.toMs - length));
  return { fromMs: begin, toMs: begin + length };
};

/**
 * @param factor 2 shows half as much
 * @param share the moment that stays where it is, as a share of the width
 * @returns undefined for the whole
 */
export const zoomed = (view: Range, whole: Range, { factor, share }: Zoom): Range | undefined => {
  const length = Math.max(Math.min(shortestMs, lengthOf(whole)), lengthOf(view) / factor);
  if (length >= lengthOf(whole)) return undefined;
  const fixedMs = view.fromMs + lengthOf(view) * share;
  return within(fixedMs - length * share, length, whole);
};

export interface Zoom {
  readonly factor: number;
  readonly share: number;
}

/** @param share of the width; more than 0 moves to later times */
export const moved = (view: Range, whole: Range, share: number): Range =>
  within(view.fromMs + lengthOf(view) * share, lengthOf(view), whole);

/** The times that a timeline has room for grow with its session: a view keeps its times while they are part of it. */
export const viewIn = (view: Range | undefined, whole: Range): Range =>
  view === undefined ? whole : within(view.fromMs, Math.min(lengthOf(view), lengthOf(whole)), whole);

export type Move =
  { readonly kind: 'zoom'; readonly factor: number } | { readonly kind: 'pan'; readonly share: number };

const moves: Readonly<Record<string, Move>> = {
  '+': { kind: 'zoom', factor: 1.6 },
  '=': { kind: 'zoom', factor: 1.6 },
  '-': { kind: 'zoom', factor: 1 / 1.6 },
  '0': { kind: 'zoom', factor: 0 },
  ArrowLeft: { kind: 'pan', share: -0.15 },
  ArrowRight: { kind: 'pan', share: 0.15 },
};

/** What a key does; undefined: nothing. */
export const moveOfKey = (key: string): Move | undefined => (Object.hasOwn(moves, key) ? moves[key] : undefined);

/** @param nowMs is kept in its place where it is in view, else the middle is */
export const afterMove = (move: Move, { view, whole, nowMs }: Moving): Range | undefined => {
  if (move.kind === 'pan') return lengthOf(view) < lengthOf(whole) ? moved(view, whole, move.share) : undefined;
  if (move.factor === 0) return undefined;
  const ofNow = (nowMs - view.fromMs) / lengthOf(view);
  return zoomed(view, whole, { factor: move.factor, share: ofNow > 0 && ofNow < 1 ? ofNow : 0.5 });
};

export interface Moving {
  readonly view: Range;
  readonly whole: Range;
  readonly nowMs: number;
}
