/** Fills values into the texts of a request: `{{ host }}`. */

/** `secret.<name>` stands for a secret of the service. */
const placeholder = /\{\{\s*([a-z][a-z0-9_]*(?:\.[A-Za-z0-9_-]+)?)\s*\}\}/g;

/** The names that texts in a value use. */
export const namesIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [...value.matchAll(placeholder)].map(([, name = '']) => name);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(namesIn);
};

export type Values = Readonly<Record<string, string>>;

/** @param encode of each value, such as for a URL */
export const fillText = (text: string, values: Values, encode: (value: string) => string = String): string =>
  text.replaceAll(placeholder, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : encode(value);
  });

/** The same in each text of a JSON value, but for the names of its fields. */
export const fillValue = (value: unknown, values: Values): unknown => {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((one) => fillValue(one, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillValue(one, values)]));
};

/**
 * A value at the beginning of a URL is an address of the other system, as its answers tell them. Anywhere else it is
 * encoded, so that it stays within its part.
 */
export const fillUrl = (url: string, values: Values): string => {
  const [begin] = /^\{\{[^}]*\}\}/.exec(url) ?? [''];
  return fillText(begin, values) + fillText(url.slice(begin.length), values, encodeURIComponent);
};
