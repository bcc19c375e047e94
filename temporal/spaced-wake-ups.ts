export interface WakeUpSpacing {
  /**
   * The milliseconds between the first two wake-ups of a burst. Each further one comes after twice the time as long
   * as the burst lasts.
   */
  readonly leastMs: number;
  /** The milliseconds between two wake-ups at most. */
  readonly mostMs: number;
  /** True while the session is about to look at the facts anyway: it is not woken. */
  readonly isAwake?: ((sessionId: string) => boolean) | undefined;
}

interface RecentWakeUp {
  /** The number of further wake-ups since. */
  combined: number;
}

/** So many wake-ups that were combined are a burst. Fewer come in a small session, too, which would only be slower. */
const burst = 10;

/**
 * Limits the wake-ups of sessions: wake-ups that follow soon after another one are combined and sent a little later. So
 * a burst of changed constraints or replies causes a few signals, not hundreds in the session's history. The longer a
 * burst lasts, the further apart they are: each look of the session costs time that the requests need, too. A wake-up
 * that is lost because the process ends costs time and nothing else.
 */
export const spaceWakeUps = (
  send: (sessionId: string) => Promise<void>,
  { leastMs, mostMs, isAwake = () => false }: WakeUpSpacing,
): ((sessionId: string) => Promise<void>) => {
  const recent = new Map<string, RecentWakeUp>();
  const wake = async (sessionId: string, spacingMs = leastMs): Promise<void> => {
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
      const nextMs = wakeUp.combined < burst ? leastMs : Math.min(mostMs, 2 * spacingMs);
      if (wakeUp.combined > 0) void wake(sessionId, nextMs);
    };
    await send(sessionId).finally(() => setTimeout(rest, spacingMs).unref());
  };
  return (sessionId) => wake(sessionId);
};
