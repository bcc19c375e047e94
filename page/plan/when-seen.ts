/** Acts after a while, and not before somebody looks at the tab: a tab in the background asks for nothing. */

/** @returns to give it up */
export const whenSeen = (ms: number, act: () => void): (() => void) => {
  let isDue = false;
  const actIfSeen = (): void => {
    if (!isDue || document.visibilityState !== 'visible') return;
    giveUp();
    act();
  };
  const timer = setTimeout(() => {
    isDue = true;
    actIfSeen();
  }, ms);
  const giveUp = (): void => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', actIfSeen);
  };
  document.addEventListener('visibilitychange', actIfSeen);
  return giveUp;
};
