export interface WakeUpSpacing {
  /** The milliseconds between the first two wake-ups of a burst. Each further one comes after twice the time. */
  readonly leastMs: number;
  /** The milliseconds between two wake-ups at most. */
  readonly mostMs: number;
  /** True while the session is about to look at the facts anyway: it is not woken. */
  readonly isAwake?: ((sessionId: string) => boolean) | undefined;
}

interface RecentWakeUp {
  /** The session is to be woken once more. */
  again: boolean;
}

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
      before.again = true;
      return;
    }
    const wakeUp: RecentWakeUp = { again: false };
    recent.set(sessionId, wakeUp);
    const rest = (): void => {
      recent.delete(sessionId);
      if (wakeUp.again) void wake(sessionId, Math.min(mostMs, 2 * spacingMs));
    };
    await send(sessionId).finally(() => setTimeout(rest, spacingMs).unref());
  };
  return (sessionId) => wake(sessionId);
};
