/**
 * IDs of instances, projects and groups. Parley sends an ID exactly as its source wrote it: a cloud, a request, a
 * setting. With dashes or without, in any case, it is the same ID, so code compares two IDs by their keys. The database
 * makes the same key of a column (function id_key). This file imports nothing, and every file may import it.
 */

declare const isKey: unique symbol;

/** The key of an ID: without dashes, in lower case. It serves to compare and to look up; it is never sent. */
export type IdKey = string & { readonly [isKey]: true };

export interface Id {
  /** The ID in the form of its source. */
  readonly text: string;
  readonly key: IdKey;
}

const withDashes = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const withoutDashes = /^[0-9a-f]{32}$/i;

/** The form of the IDs that the service makes. */
export const isDashedUuid = (text: string): boolean => withDashes.test(text);

/** A UUID in one of the forms of IDs. */
export const isUuid = (text: string): boolean => withDashes.test(text) || withoutDashes.test(text);
export const uuidMeaning = 'a UUID, with or without dashes';

export const keyOf = (text: string): IdKey => text.replaceAll('-', '').toLowerCase() as IdKey;

/** A UUID in the form of the service and of Nova: with dashes, in lower case. */
export const dashedUuid = (key: IdKey): string =>
  [key.slice(0, 8), key.slice(8, 12), key.slice(12, 16), key.slice(16, 20), key.slice(20)].join('-');

export const idOf = (text: string): Id => ({ text, key: keyOf(text) });

export const isSameId = (one: Id, other: Id): boolean => one.key === other.key;

/**
 * Writes IDs in the form of a list: an ID that the list has in another form gets the list's form, any other is
 * unchanged. When the list has two forms of an ID, the first counts.
 */
export const writtenAs = (listed: Iterable<string>): ((text: string) => string) => {
  const textOf = new Map<IdKey, string>();
  const texts = new Set<string>();
  for (const text of listed) {
    if (texts.has(text)) continue;
    texts.add(text);
    const key = keyOf(text);
    if (!textOf.has(key)) textOf.set(key, text);
  }
  return (text) => textOf.get(keyOf(text)) ?? text;
};
