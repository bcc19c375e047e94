/** JSON in which names are sorted: the same text for the same value. Classes are such texts. */
export const canonicalText = (value: unknown): string => JSON.stringify(value, sorted);

const sorted = (_: string, part: unknown): unknown =>
  typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
    : part;
