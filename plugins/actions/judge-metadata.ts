/** Judges the metadata of an action plug-in by a schema. */
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv, type DefinedError } from 'ajv';
import { schemaFault } from '../../rules/words/schema-fault';

/** The value, or its fault in words that follow "metadata". */
export type JudgedMetadata<T> = { readonly value: T } | { readonly fault: string };

const ajv = new Ajv();

export const judgeBy = <Schema extends TSchema>(
  schema: Schema,
): ((given: unknown) => JudgedMetadata<Static<Schema>>) => {
  const fits = ajv.compile<Static<Schema>>(schema);
  return (given) => {
    if (fits(given)) return { value: given };
    const [error] = (fits.errors ?? []) as DefinedError[];
    const { pointer, message } = error ? schemaFault(error) : { pointer: '', message: 'is not as expected' };
    return { fault: `${pointer} ${message}`.trim() };
  };
};
