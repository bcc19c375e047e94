/**
 * Why nothing begins in a whole session: its row tells that at any moment, also before a decision has seen it. Whatever
 * is in flight ends meanwhile.
 */
import { helpForFreeze, helpForWindows } from '../obstacles/blocker';
import type { Reason } from './reason';

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** @param because set where the session has paused itself */
export const resumeReason = (who: string, pausedAtMs: number, because: string | null): Reason => ({
  waitingFor: 'resume',
  who,
  subject: timeOf(pausedAtMs),
  because: because ?? undefined,
  sinceMs: pausedAtMs,
});

/** The next maintenance window; also for a host that would not be back within this one. */
export const opensReason = (who: string, opensAtMs: number, because = 'its maintenance window opens then'): Reason => ({
  waitingFor: 'time',
  who,
  subject: timeOf(opensAtMs),
  because,
  untilMs: opensAtMs,
});

/** @param freeze in words, as the session's row has it */
export const frozenReason = (who: string, opensAtMs: number, freeze: string): Reason => ({
  ...opensReason(who, opensAtMs, `${freeze} keeps it from beginning before then`),
  owner: 'admin',
  help: `it goes on then by itself; to begin before, ${helpForFreeze}`,
});

/** Nobody can say when a window opens, or none opens any more. */
export const windowReason = (who: string, because: string, help: string = helpForWindows.notKnown): Reason => ({
  waitingFor: 'window',
  who,
  subject: 'maintenance windows',
  ...{ owner: 'admin', because, help },
});

/** The same for a session without windows: the freezes leave it no time, or nobody knows when they end. */
export const freezesReason = (who: string, because: string): Reason => ({
  waitingFor: 'window',
  who,
  subject: 'the end of freezes',
  ...{ owner: 'admin', because, help: helpForFreeze },
});

/** The session goes on from its canary at that time. */
export const afterCanaryReason = (who: string, canaryEndedAtMs: number, untilMs: number): Reason => ({
  waitingFor: 'time',
  who,
  subject: timeOf(untilMs),
  because: 'the canary is done; the session goes on then',
  sinceMs: canaryEndedAtMs,
  untilMs,
});
