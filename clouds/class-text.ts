/** Reads the texts by which drivers compare classes of hosts and of instances (`offers`, `needs`): each is JSON. */
const known = new Map<string, object>();
const mostKnown = 10_000;

/** The empty text stands for nothing special. The rules ask about few texts, and very often, so they are kept. */
export const readClass = (text: string): object => {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const value = text === '' ? {} : (JSON.parse(text) as object);
  known.set(text, value);
  return value;
};
