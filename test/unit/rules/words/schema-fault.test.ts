import { Ajv2020, type DefinedError } from 'ajv/dist/2020';
import { operations } from '../../../../api/openapi/operations';
import { fleetSchema } from '../../../../clouds/simulated/fleet-schema';
import { formats } from '../../../../forms/field-types';
import { schemaFault } from '../../../../rules/words/schema-fault';

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });
for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check);

const faultsOf = (schema: object, value: unknown) => {
  const validate = ajv.compile(schema);
  validate(value);
  const errors = (validate.errors ?? []) as DefinedError[];
  return errors
    .filter(({ propertyName }) => propertyName === undefined)
    .map((error) => schemaFault(error, (format) => (format === 'uuid' ? 'a UUID' : format)));
};

const cases = [
  { keyword: 'type', schema: { type: 'integer' }, value: '1', says: 'must be an integer, but is "1"' },
  { keyword: 'type', schema: { type: ['array', 'null'] }, value: 1, says: 'must be an array or null, but is 1' },
  {
    keyword: 'enum',
    schema: { enum: ['mon', 'tue'] },
    value: 'Monday',
    says: 'must be one of mon, tue, but is "Monday"',
  },
  { keyword: 'const', schema: { const: 'MIGRATE' }, value: 'FLY', says: 'must be "MIGRATE", but is "FLY"' },
  { keyword: 'format', schema: { format: 'uuid' }, value: 'me', says: 'must be a UUID, but is "me"' },
  { keyword: 'pattern', schema: { pattern: '^a' }, value: 'b', says: 'must match the pattern ^a' },
  { keyword: 'minimum', schema: { minimum: 1 }, value: 0, says: 'must be at least 1, but is 0' },
  { keyword: 'maximum', schema: { maximum: 9 }, value: 10, says: 'must be at most 9, but is 10' },
  { keyword: 'minLength', schema: { minLength: 1 }, value: '', says: 'must not be empty' },
  { keyword: 'minLength', schema: { minLength: 2 }, value: 'a', says: 'must have at least 2 characters' },
  { keyword: 'maxLength', schema: { maxLength: 1 }, value: 'abc', says: 'must have at most 1 characters, but has 3' },
  { keyword: 'minItems', schema: { minItems: 1 }, value: [], says: 'must not be empty' },
  { keyword: 'minItems', schema: { minItems: 2 }, value: [1], says: 'must have at least 2 entries' },
  { keyword: 'maxItems', schema: { maxItems: 1 }, value: [1, 2], says: 'must have at most 1 entries, but has 2' },
  { keyword: 'minProperties', schema: { minProperties: 1 }, value: {}, says: 'must not be empty' },
  { keyword: 'minProperties', schema: { minProperties: 2 }, value: { a: 1 }, says: 'must have at least 2 fields' },
  { keyword: 'maxProperties', schema: { maxProperties: 1 }, value: { a: 1, b: 2 }, says: 'must have at most 1 fields' },
  {
    keyword: 'uniqueItems',
    schema: { uniqueItems: true },
    value: ['mon', 'tue', 'mon'],
    says: 'must not have the same entry twice, but has "mon" twice',
  },
];

it.each(cases)('$keyword: $says', ({ schema, value, says }) => {
  expect(faultsOf({ properties: { field: schema } }, { field: value })).toEqual([{ pointer: '/field', message: says }]);
});

it.each([
  {
    keyword: 'required',
    schema: { properties: { name: {} }, required: ['name'] },
    fault: { pointer: '/name', message: 'is missing' },
  },
  {
    keyword: 'additionalProperties',
    schema: { properties: { b: {}, c: {} }, additionalProperties: false },
    fault: { pointer: '/a~1a', message: 'is not a known field; known are b, c' },
  },
  {
    keyword: 'propertyNames',
    schema: { propertyNames: { format: 'uuid' } },
    fault: { pointer: '/a~1a', message: 'must be named by a UUID' },
  },
])('$keyword points to the field itself', ({ schema, fault }) => {
  expect(faultsOf(schema, { 'a/a': 1 })).toEqual([fault]);
});

it('shortens a long value, and leaves out one that it is not told', () => {
  const fault = { keyword: 'type', instancePath: '/a', params: { type: 'array' } } as DefinedError;
  expect(schemaFault({ ...fault, data: 'x'.repeat(100) }).message).toBe(`must be an array, but is "${'x'.repeat(58)}…`);
  expect(schemaFault(fault).message).toBe('must be an array');
});

/** Keywords that say what a schema is, not what a value must be, and those of unions, whose members tell the fault. */
const silent = ['properties', 'items', 'description', 'examples', 'default', 'title', 'anyOf', 'additionalProperties'];

const keywordsIn = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, anyOf = [], propertyNames, ...rest } = schema as Record<string, unknown>;
  const inside: unknown[] = [
    ...Object.values<unknown>(properties as Record<string, unknown>),
    items,
    ...(anyOf as unknown[]),
    propertyNames,
  ];
  return [...Object.keys(rest), ...inside.flatMap(keywordsIn)];
};

it('has words for every keyword by which a body or a fleet file is checked', () => {
  const bodies = operations.flatMap(({ request }) => (request ? [request.schema] : []));
  const used = new Set([...bodies, fleetSchema].flatMap(keywordsIn));
  const known = [
    ...cases.map(({ keyword }) => keyword),
    'required',
    'additionalProperties',
    'propertyNames',
    ...silent,
  ];
  expect([...used].filter((keyword) => !known.includes(keyword))).toEqual([]);
});
