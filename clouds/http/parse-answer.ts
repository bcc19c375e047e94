/**
 * Turns a service's answer into a typed value. An answer of another shape is an error that names the service and the
 * fault.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv, type DefinedError } from 'ajv';
import { schemaFault } from '../../rules/words/schema-fault';

const ajv = new Ajv({ allErrors: false });

/** @throws Error (from the parser) that names the answer, the field and its fault */
export const parserOf = <Schema extends TSchema>(
  what: string,
  schema: Schema,
): ((value: unknown) => Static<Schema>) => {
  const fits = ajv.compile<Static<Schema>>(schema);
  return (value) => {
    if (fits(value)) return value;
    const [error] = (fits.errors ?? []) as DefinedError[];
    const { pointer, message } = error ? schemaFault(error) : { pointer: '', message: 'is not as expected' };
    throw new Error(`${what}: ${pointer} ${message}`);
  };
};
