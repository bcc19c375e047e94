/**
 * Keeps to the pauses that services ask for (Retry-After), whoever calls next: another call of this process, or the
 * next try of an activity, must not come before.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { askedPauseMs } from './back-off';
import { type Exchange, type HttpRequest, NoAnswer } from './exchange';

/** A caller is held up for so long; after a longer pause it has to come again. */
const mostHeldMs = 20_000;
/** A longer pause is a mistake. */
const longestPauseMs = 600_000;

export interface Clock {
  readonly nowMs: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

const realClock: Clock = { nowMs: () => Date.now(), pause };

/** Services behind one address differ by the first part of their path. */
const serviceAt = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}/${pathname.split('/')[1] ?? ''}`;
};

/** @throws NoAnswer (from the exchange) where the service asked for a pause that is too long to be waited for here */
export const heedPauses = (exchange: Exchange, clock: Clock = realClock): Exchange => {
  const quietUntilMs = new Map<string, number>();
  const waitFor = async (request: HttpRequest, service: string): Promise<void> => {
    const leftMs = (quietUntilMs.get(service) ?? 0) - clock.nowMs();
    if (leftMs <= 0) return;
    if (leftMs > mostHeldMs) {
      const seconds = Math.ceil(leftMs / 1000);
      throw new NoAnswer(
        request,
        `it was not asked, because the service wants no call for ${seconds} s more (Retry-After)`,
      );
    }
    await clock.pause(leftMs);
  };
  return async (request) => {
    const service = serviceAt(request.url);
    await waitFor(request, service);
    const answer = await exchange(request);
    const askedMs = askedPauseMs(answer, clock.nowMs());
    if (askedMs !== undefined) quietUntilMs.set(service, clock.nowMs() + Math.min(askedMs, longestPauseMs));
    return answer;
  };
};
