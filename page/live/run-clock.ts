/** Runs the clock of the page while somebody looks. */
import { nowMs } from './clock';

const tick = (): void => {
  if (document.visibilityState === 'visible') nowMs.value = Date.now();
};

/** @returns to stop it */
export const runClock = (): (() => void) => {
  const timer = setInterval(tick, 1_000);
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
};
