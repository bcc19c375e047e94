/**
 * Time as the page counts it. Ends come from the API as seconds that are left, so only the time since its answer is
 * taken from this machine.
 */
import { signal } from '@preact/signals';

/** Now, by this machine: changes each second while somebody looks. */
export const nowMs = signal(Date.now());

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
