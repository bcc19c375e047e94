/** Reads the query of the list of sessions. A filter that is passed over would show more than was asked for. */
import { invalidQuery } from '../problems/problem-catalogue';

/** @throws ApiError 400: the specification lists no 422 there */
export const refuseUnknownFilters = (query: Readonly<Record<string, unknown>>): void => {
  const names = Object.keys(query);
  if (names.length === 0) return;
  throw invalidQuery(
    names.map((name) => ({ pointer: `#query/${name}`, message: 'is not known: the list has no such filter' })),
  );
};
