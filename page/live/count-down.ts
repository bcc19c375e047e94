/** Seconds that are left, counted on from the moment at which the API told them. */

/** Something that the API has told, and when it arrived here. */
export interface Seen<T> {
  readonly body: T;
  readonly atMs: number;
}

/** A clock that was set back counts as one that stands. */
export const secondsSince = (atMs: number, nowMs: number): number => Math.max(0, (nowMs - atMs) / 1000);

export const leftNow = (seconds: number | null, atMs: number, nowMs: number): number | null =>
  seconds === null ? null : Math.max(0, Math.ceil(seconds - secondsSince(atMs, nowMs)));

/** The clock of the service, in milliseconds: its time in the answer, and the time since then. */
export const serviceNow = ({ body, atMs }: Seen<{ readonly now: string }>, nowMs: number): number =>
  Date.parse(body.now) + secondsSince(atMs, nowMs) * 1000;
