/**
 * Bounds how many lanes a worker delivers at once. A delivery waits in an activity slot for its receiver: without a
 * bound, receivers that are slow would hold up the moves and decisions of sessions.
 */

/** Far fewer than the activity slots of a worker. */
const mostInAll = 100;
/** So that one slow receiver leaves room for others. */
const mostOfOneWebhook = 10;

export interface LanesAtOnce {
  /** @returns to be called at the end; undefined: as many are under way as may be */
  readonly begin: (webhookId: string) => (() => void) | undefined;
}

export const createLanesAtOnce = (): LanesAtOnce => {
  const running = new Map<string, number>();
  let inAll = 0;
  const add = (webhookId: string, change: 1 | -1): void => {
    const ofWebhook = (running.get(webhookId) ?? 0) + change;
    inAll += change;
    if (ofWebhook === 0) running.delete(webhookId);
    else running.set(webhookId, ofWebhook);
  };
  return {
    begin: (webhookId) => {
      if (inAll >= mostInAll || (running.get(webhookId) ?? 0) >= mostOfOneWebhook) return undefined;
      add(webhookId, 1);
      return () => add(webhookId, -1);
    },
  };
};
