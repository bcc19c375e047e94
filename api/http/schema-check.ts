/** Checks bodies against their schemas: a body becomes a typed value, or an error that tells all of its faults. */
import type { Static, TSchema } from '@sinclair/typebox';
import { formOf } from '../../forms/check-form';
import { findUnstorable } from '../../forms/storable-json';
import type { FieldError } from '../problems/problem';

/**
 * A parser for bodies of the schema. An absent body counts as an empty object.
 * @returns a function that throws the error that `refuse` makes of the faults
 */
export const createBodyParser = <Schema extends TSchema>(
  schema: Schema,
  refuse: (errors: readonly FieldError[]) => Error,
): ((body: unknown) => Static<Schema>) => {
  const compare = formOf(schema);
  return (given) => {
    const body: unknown = given ?? {};
    const unstorable = findUnstorable(body);
    if (unstorable !== undefined) throw refuse([unstorable]);
    const formed = compare(body);
    if ('value' in formed) return formed.value;
    throw refuse(formed.faults);
  };
};
