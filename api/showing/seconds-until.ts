/** Seconds that are left until a time, as numbers in answers: no client's clock matters. */
export const secondsUntil = (at: Date | null, now: Date): number | null =>
  at === null || at <= now ? null : Math.ceil((at.getTime() - now.getTime()) / 1000);
