/** Finds JSON that the database cannot hold, or that is nested too deeply, before anything reads it. */
import { inPointer } from '../rules/words/json-pointer';
import type { SchemaFault } from '../rules/words/schema-fault';

const deepest = 32;
/** PostgreSQL's text has no NUL, and its jsonb no half of a surrogate pair. */
const unstorableText = /[\0\p{Surrogate}]/u;

/** The text with a replacement character in place of each that the database cannot hold. */
export const storable = (text: string): string => text.replaceAll(new RegExp(unstorableText, 'gu'), '\uFFFD');

interface Place {
  readonly value: unknown;
  readonly key: string;
  readonly parent?: Place;
  readonly depth: number;
}

const childrenOf = (parent: Place): Place[] => {
  if (typeof parent.value !== 'object' || parent.value === null) return [];
  const depth = parent.depth + 1;
  return Object.entries(parent.value).map(([key, value]: [string, unknown]) => ({ value, key, parent, depth }));
};

const whatIsWrong = ({ value, key, depth }: Place): string | undefined => {
  if (depth > deepest) return `is nested more than ${deepest} levels deep`;
  if (unstorableText.test(key)) return 'has a key with a NUL character or half a surrogate pair';
  if (typeof value === 'string' && unstorableText.test(value)) return 'has a NUL character or half a surrogate pair';
  return undefined;
};

/** Made only for the place of the fault: long keys with many values below would cost much otherwise. */
const pointerTo = ({ key, parent }: Place): string =>
  parent === undefined ? '' : `${pointerTo(parent)}/${inPointer(key)}`;

/** The first such place. A loop, because recursion would follow the nesting. */
export const findUnstorable = (body: unknown): SchemaFault | undefined => {
  const places: Place[] = [{ value: body, key: '', depth: 0 }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const message = whatIsWrong(place);
    if (message !== undefined) return { pointer: pointerTo(place), message };
    for (const child of childrenOf(place)) places.push(child);
  }
  return undefined;
};
