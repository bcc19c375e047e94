/** docker-compose.yml by the schema of the Compose Specification, which compose-spec.json beside this file is. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';

const root = path.join(__dirname, '../../..');
const schema = JSON.parse(readFileSync(path.join(__dirname, 'compose-spec.json'), 'utf8')) as Record<string, unknown>;
// Ajv knows this draft under another spelling of its address, and takes it when none is named.
delete schema['$schema'];
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
const problemsOf = (compose: unknown): unknown[] => (validate(compose) ? [] : (validate.errors ?? []));

const compose = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, object>>;
};

describe('docker-compose.yml', () => {
  it('is what the Compose Specification asks for', () => {
    expect(problemsOf(compose)).toEqual([]);
  });

  it.each([
    ['a misspelt key', { healthchek: {} }],
    ['a condition that is none', { depends_on: { postgres: { condition: 'healthy' } } }],
    ['a command that is no list of words', { command: [{ node: 'x' }] }],
  ])('would not be with %s', (_, wrong) => {
    const services = { ...compose.services, api: { ...compose.services['api'], ...wrong } };
    expect(problemsOf({ ...compose, services })).not.toEqual([]);
  });
});
