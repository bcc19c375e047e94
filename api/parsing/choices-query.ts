/** Reads whether the choices of a create request are wanted with the number of instances on each host. */
import { invalidQuery } from '../problems/problem-catalogue';

/** @throws ApiError 400 */
export const parseChoicesQuery = (query: Readonly<Record<string, unknown>>): { readonly isCounted: boolean } => {
  const errors = Object.entries(query).flatMap(([name, value]) => {
    const pointer = `#query/${name}`;
    if (name !== 'instances') return [{ pointer, message: 'is not known: the only one is instances' }];
    return value === 'true' || value === 'false' ? [] : [{ pointer, message: 'must be true or false' }];
  });
  if (errors.length > 0) throw invalidQuery(errors);
  return { isCounted: query['instances'] === 'true' };
};
