/**
 * Checks a body against its schema: returns a typed value, or reports all errors at once, each with a pointer and
 * readable words.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv2020, type DefinedError } from 'ajv/dist/2020';
import { uuidMeaning } from '../planning/fleet/id';
import { inPointer } from './json-pointer';
import type { FieldError } from './problem';
import { formats } from './schemas/field-types';
import { findUnstorable } from './storable-json';

const createAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
  for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check);
  return ajv;
};
const ajv = createAjv();

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

const knownFields = ({ parentSchema }: DefinedError): string =>
  Object.keys((parentSchema?.['properties'] ?? {}) as Record<string, unknown>).join(', ');

const isFormatName = (name: string): name is keyof typeof formats => name in formats;
const meaningOfFormat = (name: string): string => (isFormatName(name) ? formats[name].meaning : name);

const article = (word: string): string => (/^[aeio]/.test(word) ? `an ${word}` : `a ${word}`);

/** Ajv gives several types, as the compiler does not know, as a list. */
const typeNames = (types: string | readonly string[]): string =>
  [types]
    .flat()
    .map((type) => (type === 'null' ? type : article(type)))
    .join(' or ');

const describe = (error: DefinedError): string => {
  const but = `, but is ${shown(error.data)}`;
  if (error.keyword === 'type') return `must be ${typeNames(error.params.type)}${but}`;
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}${but}`;
  if (error.keyword === 'format') return `must be ${meaningOfFormat(error.params.format)}${but}`;
  if (error.keyword === 'minLength') return 'must not be empty';
  const message = error.message ?? 'is wrong';
  return error.keyword === 'minimum' || error.keyword === 'maximum' ? `${message}${but}` : message;
};

const toFieldError = (error: DefinedError): FieldError => {
  const pointerTo = (key: string): string => `${error.instancePath}/${inPointer(key)}`;
  if (error.keyword === 'required') return { pointer: pointerTo(error.params.missingProperty), message: 'is missing' };
  if (error.keyword === 'additionalProperties') {
    const message = `is not a known field; known are ${knownFields(error)}`;
    return { pointer: pointerTo(error.params.additionalProperty), message };
  }
  if (error.keyword === 'propertyNames') {
    return { pointer: pointerTo(error.params.propertyName), message: `must be named by ${uuidMeaning}` };
  }
  return { pointer: error.instancePath, message: describe(error) };
};

/** A wrong key also causes an error of propertyNames, which knows the key. */
const isAboutKey = (error: DefinedError): boolean => error.propertyName !== undefined;

const toFieldErrors = (errors: readonly DefinedError[]): FieldError[] =>
  errors.filter((error) => !isAboutKey(error)).map(toFieldError);

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
