/**
 * Seconds that are left until a time, as numbers in answers: no client's clock matters. Both times are taken as whole
 * seconds, so that the end that a client works out is the same at each look (reply-with-etag.ts).
 */
export const secondsUntil = (at: Date | null, now: Date): number | null =>
  at === null || at <= now ? null : Math.ceil(at.getTime() / 1000) - wholeSeconds(now);

/** The time since the epoch from which answers count. */
export const wholeSeconds = (now: Date): number => Math.floor(now.getTime() / 1000);
