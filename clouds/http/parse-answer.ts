/**
 * Turns a service's answer into a typed value. An answer of another shape is an error that names the service, the item
 * and the fault.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv, type DefinedError } from 'ajv';
import { schemaFault } from '../../rules/words/schema-fault';

const ajv = new Ajv({ allErrors: false });

/** The service has answered, and the answer makes no sense. */
export class OddAnswer extends Error {
  override readonly name = 'OddAnswer';
}

/** @throws OddAnswer (from the parser) that names the answer, the item, the field and its fault */
export const parserOf = <Schema extends TSchema>(
  what: string,
  schema: Schema,
): ((value: unknown) => Static<Schema>) => {
  const fits = ajv.compile<Static<Schema>>(schema);
  return (value) => {
    if (fits(value)) return value;
    const [error] = (fits.errors ?? []) as DefinedError[];
    const { pointer, message } = error ? schemaFault(error) : { pointer: '', message: 'is not as expected' };
    const item = error && itemAt(value, error.instancePath);
    throw new OddAnswer(`${what}: ${pointer} ${message}${item === undefined ? '' : ` (of ${item})`}`);
  };
};

/** Fields by which people recognise an item of a list. */
const namingFields = ['name', 'hypervisor_hostname', 'binary', 'host', 'id', 'uuid', 'request_id'];

/** The names of the innermost object on the way to a field that has any; undefined: there is none. */
const itemAt = (value: unknown, pointer: string): string | undefined => {
  const keys = pointer.split('/').slice(1);
  const onTheWay = keys.reduce<unknown[]>((seen, key) => [...seen, fieldOf(seen.at(-1), key)], [value]);
  return onTheWay.map(namesOf).findLast((names) => names !== undefined);
};

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

const namesOf = (value: unknown): string | undefined => {
  const names = namingFields.map((field) => fieldOf(value, field)).filter((name) => typeof name === 'string');
  return names.length === 0 ? undefined : names.join(', ');
};
