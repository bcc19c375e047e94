/** Made once: making one for each comparison is most of the cost of sorting. */
const { compare } = new Intl.Collator('en', { numeric: true });

/** node-2 comes before node-10. */
export const byNaturalOrder = (one: string, other: string): number => compare(one, other);
