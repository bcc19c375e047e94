/** Reads the filters of the list of sessions. One that is passed over would show more than was asked for. */
import { formats } from '../../forms/field-types';
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import { invalidQuery, unknownFilters } from '../problems/problem-catalogue';
import { progressStates } from '../schemas/summary-schemas';
import type { ListFilter } from '../services/list-filter';

type Filter = 'state' | 'since' | 'host' | 'name' | 'archived';

const anyText = { fits: (text: string) => text !== '', meaning: 'not empty' };

/** Each filter, with a check of its value and the words for what the value must be. */
const rules: Readonly<Record<Filter, { readonly fits: (text: string) => boolean; readonly meaning: string }>> = {
  state: {
    fits: (text) => text.split(',').every((one) => progressStates.some((state) => state === one)),
    meaning: `one or several of ${progressStates.join(', ')}, separated by commas`,
  },
  since: { fits: formats['maintenance-time'].check, meaning: formats['maintenance-time'].meaning },
  host: anyText,
  name: anyText,
  archived: { fits: (text) => text === 'true' || text === 'false', meaning: 'true or false' },
};

const isFilter = (name: string): name is Filter => Object.hasOwn(rules, name);

/** @throws ApiError 422 for a filter that the list does not have, 400 for a wrong value of one that it has */
export const parseListQuery = (query: Readonly<Record<string, unknown>>): ListFilter => {
  const unknown = Object.keys(query).filter((name) => !isFilter(name));
  if (unknown.length > 0) throw unknownFilters(unknown, Object.keys(rules));
  const errors = Object.entries(rules).flatMap(([name, { fits, meaning }]) => {
    const value = query[name];
    const isRight = value === undefined || (typeof value === 'string' && fits(value));
    return isRight ? [] : [{ pointer: `#query/${name}`, message: `must be ${meaning}` }];
  });
  if (errors.length > 0) throw invalidQuery(errors);
  const { state, since, host, name, archived } = query as Partial<Record<Filter, string>>;
  const sinceTime = since === undefined ? undefined : parseMaintenanceAt(since);
  return {
    ...(state !== undefined && { states: state.split(',') }),
    ...(sinceTime !== undefined && { since: sinceTime }),
    ...(host !== undefined && { host }),
    ...(name !== undefined && { name }),
    isArchived: archived === 'true',
  };
};
