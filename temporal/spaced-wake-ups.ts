/**
 * Limits the wake-ups of sessions: wake-ups that follow soon after another one are combined and sent a little later. So
 * a burst of changed constraints causes a few signals, not hundreds in the session's history. A wake-up that is lost
 * because the process ends costs time and nothing else.
 *
 * @param isAwake true while the session is about to look at the facts anyway: it is not woken
 */
export const spaceWakeUps = (
  send: (sessionId: string) => Promise<void>,
  spacingMs: number,
  isAwake: (sessionId: string) => boolean = () => false,
): ((sessionId: string) => Promise<void>) => {
  /** Sessions that were woken a moment ago; true when they are to be woken once more. */
  const recent = new Map<string, boolean>();
  const wake = async (sessionId: string): Promise<void> => {
    if (isAwake(sessionId)) return;
    if (recent.has(sessionId)) {
      recent.set(sessionId, true);
      return;
    }
    recent.set(sessionId, false);
    await send(sessionId).finally(() => setTimeout(() => rest(sessionId), spacingMs).unref());
  };
  const rest = (sessionId: string): void => {
    const again = recent.get(sessionId) === true;
    recent.delete(sessionId);
    if (again) void wake(sessionId);
  };
  return wake;
};
