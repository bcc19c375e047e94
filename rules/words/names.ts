/** Names for people: a name where it is known, else the first characters of an ID. */
import { shortId } from './times';

/** A UUID, with dashes or without; no part of a longer word or of an address. */
const anId = /(?<![\w/-])[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})(?![\w-])/gi;

/** The text with the names of projects in place of their IDs. */
export const namingProjects = (text: string, projectNames: ReadonlyMap<string, string>): string =>
  [...projectNames]
    .reduce((named, [id, name]) => named.replaceAll(`project ${id}`, () => `project ${name}`), text)
    .replaceAll(anId, (id) => projectNames.get(id) ?? id);

/** The text of an answer of the API, as a terminal or a page shows it; the fields of the answer have the whole IDs. */
export const withShortIds = (text: string): string => text.replaceAll(anId, shortId);

export const nameOr = (id: string, name: string | null | undefined): string => name ?? withShortIds(id);
