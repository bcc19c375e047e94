/**
 * Checks a body against its schema: returns a typed value, or reports all errors at once, each with a pointer and
 * readable words.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv2020, type DefinedError } from 'ajv/dist/2020';
import { schemaFault } from '../../rules/words/schema-fault';
import type { FieldError } from '../problems/problem';
import { formats } from '../schemas/field-types';
import { findUnstorable } from './storable-json';

const createAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
  for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check);
  return ajv;
};
const ajv = createAjv();

const isFormatName = (name: string): name is keyof typeof formats => name in formats;
const meaningOfFormat = (name: string): string => (isFormatName(name) ? formats[name].meaning : name);

/** A wrong key also causes an error of propertyNames, which knows the key. */
const isAboutKey = (error: DefinedError): boolean => error.propertyName !== undefined;

const toFieldErrors = (errors: readonly DefinedError[]): FieldError[] =>
  errors.filter((error) => !isAboutKey(error)).map((error) => schemaFault(error, meaningOfFormat));

/**
 * A parser for bodies of the schema. An absent body counts as an empty object.
 * @returns a function that throws the error that `refuse` makes of the faults
 */
export const createBodyParser = <Schema extends TSchema>(
  schema: Schema,
  refuse: (errors: readonly FieldError[]) => Error,
): ((body: unknown) => Static<Schema>) => {
  const validate = ajv.compile<Static<Schema>>(schema);
  return (given) => {
    const body: unknown = given ?? {};
    const unstorable = findUnstorable(body);
    if (unstorable !== undefined) throw refuse([unstorable]);
    if (validate(body)) return body;
    throw refuse(toFieldErrors((validate.errors ?? []) as DefinedError[]));
  };
};
