/** Names for people: a name where it is known, else the first characters of an ID. */
import { shortId } from './times';

/** A UUID, with dashes or without; no part of a longer word or of an address. */
const anId = /(?<![\w/-])[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})(?![\w-])/gi;

/** The text with the names of projects in place of their IDs; all other IDs are shortened. */
export const forPeople = (text: string, projectNames: ReadonlyMap<string, string> = new Map()): string =>
  [...projectNames]
    .reduce((named, [id, name]) => named.replaceAll(`project ${id}`, () => `project ${name}`), text)
    .replaceAll(anId, (id) => projectNames.get(id) ?? shortId(id));

export const nameOr = (id: string, name: string | null | undefined): string => name ?? forPeople(id);
