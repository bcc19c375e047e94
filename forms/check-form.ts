/** Compares values with their schema, and tells all faults at once, each with a pointer and readable words. */
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv2020, type DefinedError } from 'ajv/dist/2020';
import { type SchemaFault, schemaFault } from '../rules/words/schema-fault';
import { formats } from './field-types';

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

const faultsIn = (errors: readonly DefinedError[]): SchemaFault[] =>
  errors.filter((error) => !isAboutKey(error)).map((error) => schemaFault(error, meaningOfFormat));

/** The value with its type, or the faults that it has. */
export type Formed<T> = { readonly value: T } | { readonly faults: readonly SchemaFault[] };

/** @returns a function that compares a value with the schema */
export const formOf = <Schema extends TSchema>(schema: Schema): ((given: unknown) => Formed<Static<Schema>>) => {
  const validate = ajv.compile<Static<Schema>>(schema);
  return (given) =>
    validate(given) ? { value: given } : { faults: faultsIn((validate.errors ?? []) as DefinedError[]) };
};
