/**
 * Amounts of resources by name: what a host has, and what an instance takes of it. Drivers choose the names (VCPU,
 * MEMORY_MB, pods), and the rules know none of them.
 */

/** Numbers of 0 or more. A name that is left out stands for 0. */
export type Amounts = Readonly<Record<string, number>>;

/** A host, an instance, or the claim of one. */
export interface Sized {
  readonly amounts: Amounts;
}

/** Facts never change, and the same amounts are asked about again and again. */
const texts = new WeakMap<Amounts, string>();

/** The amounts as text, the same for equal amounts. */
export const amountsText = (amounts: Amounts): string => {
  const known = texts.get(amounts);
  if (known !== undefined) return known;
  const named = Object.entries(amounts).filter(([, amount]) => amount !== 0);
  const text = named
    .map(([name, amount]) => `${name}:${amount}`)
    .sort()
    .join(' ');
  texts.set(amounts, text);
  return text;
};
