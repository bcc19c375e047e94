/** Says in plain English how a value breaks a JSON schema. The messages of the validator itself are for programmers. */
import type { DefinedError } from 'ajv';
import { inPointer } from './json-pointer';

export interface SchemaFault {
  /** JSON pointer to the field. */
  readonly pointer: string;
  readonly message: string;
}

/** @param meaningOf the words for a format, such as "a UUID with dashes"; else it is called by its name */
export const schemaFault = (error: DefinedError, meaningOf = (format: string): string => format): SchemaFault => {
  const pointerTo = (key: string): string => `${error.instancePath}/${inPointer(key)}`;
  if (error.keyword === 'required') return { pointer: pointerTo(error.params.missingProperty), message: 'is missing' };
  if (error.keyword === 'additionalProperties') {
    const message = `is not a known field; known are ${knownFields(error)}`;
    return { pointer: pointerTo(error.params.additionalProperty), message };
  }
  if (error.keyword === 'propertyNames') {
    const message = `must be named by ${formOfNames(error, meaningOf)}`;
    return { pointer: pointerTo(error.params.propertyName), message };
  }
  const message = isLimit(error) ? limitWords[error.keyword](error) : formWords(error, meaningOf);
  return { pointer: error.instancePath, message };
};

/** Knows, together with limitWords, every keyword that our schemas use: a test compares. */
const formWords = (error: DefinedError, meaningOf: (format: string) => string): string => {
  if (error.keyword === 'type') return `must be ${typeNames(error.params.type)}${butIs(error)}`;
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}${butIs(error)}`;
  if (error.keyword === 'const') return `must be ${shown(error.params.allowedValue)}${butIs(error)}`;
  if (error.keyword === 'format') return `must be ${meaningOf(error.params.format)}${butIs(error)}`;
  // The value may be a secret that was mistyped.
  if (error.keyword === 'pattern') return `must match the pattern ${error.params.pattern}`;
  if (error.keyword === 'uniqueItems') return `must not have the same entry twice${butRepeats(error)}`;
  return `does not have the form that the schema asks for${butIs(error)}`;
};

type LimitKeyword =
  'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties';
type LimitError = DefinedError & { readonly keyword: LimitKeyword; readonly params: { readonly limit: number } };

const limitWords: Readonly<Record<LimitKeyword, (error: LimitError) => string>> = {
  minimum: (error) => `must be at least ${error.params.limit}${butIs(error)}`,
  maximum: (error) => `must be at most ${error.params.limit}${butIs(error)}`,
  minLength: ({ params: { limit } }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: (error) => `must have at most ${error.params.limit} characters${butHas(error)}`,
  minItems: ({ params: { limit } }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`),
  maxItems: (error) => `must have at most ${error.params.limit} entries${butHas(error)}`,
  minProperties: ({ params: { limit } }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} fields`),
  maxProperties: (error) => `must have at most ${error.params.limit} fields`,
};

const isLimit = (error: DefinedError): error is LimitError => error.keyword in limitWords;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** A validator that is not verbose leaves out the value. */
const butIs = ({ data }: DefinedError): string => (data === undefined ? '' : `, but is ${shown(data)}`);

const butHas = ({ data }: DefinedError): string => {
  return typeof data === 'string' || Array.isArray(data) ? `, but has ${data.length}` : '';
};

const butRepeats = ({ data, params }: Extract<DefinedError, { keyword: 'uniqueItems' }>): string => {
  return Array.isArray(data) ? `, but has ${shown(data[params.i])} twice` : '';
};

const knownFields = ({ parentSchema }: DefinedError): string => {
  const properties: unknown = parentSchema?.['properties'];
  return Object.keys(properties ?? {}).join(', ');
};

const formOfNames = ({ schema }: DefinedError, meaningOf: (format: string) => string): string => {
  const format: unknown = (schema as { readonly format?: unknown } | undefined)?.format;
  return typeof format === 'string' ? meaningOf(format) : 'another name';
};

const article = (word: string): string => (/^[aeio]/.test(word) ? `an ${word}` : `a ${word}`);

/** Ajv gives several types, as the compiler does not know, as a list. */
const typeNames = (types: string | readonly string[]): string =>
  [types]
    .flat()
    .map((type) => (type === 'null' ? type : article(type)))
    .join(' or ');
