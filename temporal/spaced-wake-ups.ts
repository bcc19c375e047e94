export interface WakeUpSpacing {
  /** The milliseconds between two wake-ups of a session at least. */
  readonly leastMs: number;
  /** The milliseconds between two wake-ups at most, while a burst lasts. */
  readonly mostMs: number;
  /** The milliseconds to the next wake-up for each that was combined, between these limits. */
  readonly eachMs: number;
  /** True while the session is about to look at the facts anyway: it is not woken. */
  readonly isAwake?: ((sessionId: string) => boolean) | undefined;
}

interface RecentWakeUp {
  /** The number of further wake-ups since. */
  combined: number;
}

/**
 * Limits the wake-ups of sessions: wake-ups that follow soon after another one are combined and sent a little later. So
 * a burst of changed constraints or replies causes a few signals, not hundreds in the session's history. The more were
 * combined, the further apart they are: each look of the session costs time that the requests need, too. A wake-up that
 * is lost because the process ends costs time and nothing else.
 */
export const spaceWakeUps = (
  send: (sessionId: string) => Promise<void>,
  { leastMs, mostMs, eachMs, isAwake = () => false }: WakeUpSpacing,
): ((sessionId: string) => Promise<void>) => {
  const recent = new Map<string, RecentWakeUp>();
  const wake = async (sessionId: string, combinedBefore: number): Promise<void> => {
    if (isAwake(sessionId)) return;
    const before = recent.get(sessionId);
    if (before !== undefined) {
      before.combined += 1;
      return;
    }
    const wakeUp: RecentWakeUp = { combined: 0 };
    recent.set(sessionId, wakeUp);
    const rest = (): void => {
      recent.delete(sessionId);
      if (wakeUp.combined > 0) void wake(sessionId, wakeUp.combined);
    };
    const spacingMs = Math.min(mostMs, Math.max(leastMs, eachMs * combinedBefore));
    await send(sessionId).finally(() => setTimeout(rest, spacingMs).unref());
  };
  return (sessionId) => wake(sessionId, 0);
};
