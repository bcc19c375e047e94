/**
 * Time as the page counts it. Ends come from the API as seconds that are left, so only the time since its answer is
 * taken from this machine.
 */
import { computed, signal } from '@preact/signals-core';

/** Now, by this machine: changes each second while somebody looks. */
export const nowMs = signal(Date.now());

/** How far the clock of the service is ahead of this machine's. */
const aheadMs = signal(0);

/** Now, by the clock of the service, to the second: it is known after its first answer. */
export const serviceMs = computed(() => nowMs.value + aheadMs.value);

/** The header of an answer has whole seconds, and the answer took a while: smaller differences tell nothing. */
const leastMs = 2_000;

/** @param date the header of an answer; null: it had none */
export const learnServiceTime = (date: string | null): void => {
  const ahead = date === null ? NaN : Date.parse(date) - Date.now();
  if (Number.isNaN(ahead) || Math.abs(ahead - aheadMs.peek()) < leastMs) return;
  aheadMs.value = Math.abs(ahead) < leastMs ? 0 : ahead;
};
