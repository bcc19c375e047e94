/** Percentiles of a list of measurements; 0 for an empty list. */

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export const mean = (numbers: readonly number[]): number => sum(numbers) / Math.max(1, numbers.length);

/** The number below which this share of the measurements lies: 0.5 is the median. */
export const percentile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
