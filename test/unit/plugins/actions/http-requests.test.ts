/** The pure parts of the action plug-in `http`: its metadata, the values in its requests, and what answers say. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fillUrl, fillValue, namesIn } from '../../../../plugins/actions/http/fill';
import { judgeHttp } from '../../../../plugins/actions/http/http-metadata';
import { chosenFrom, holds, keptFrom, partOf } from '../../../../plugins/actions/http/read-answer';
import { fillHeaders, parseSecrets } from '../../../../plugins/actions/http/secrets';

const start = { url: 'https://awx.example.org/launch' };
const until = { pointer: '/status', in: ['done'] };

it.each(['awx', 'rundeck', 'jenkins', 'github-actions'])('takes the example for %s', (name) => {
  const file = path.join(__dirname, '../../../../examples/http', `${name}.json`);
  const { metadata } = JSON.parse(readFileSync(file, 'utf8')) as { metadata: Record<string, unknown> };
  expect(judgeHttp(metadata)).toEqual({ value: metadata });
});

it.each([
  { metadata: {}, fault: /start/ },
  { metadata: { start, colour: 'red' }, fault: /colour/ },
  { metadata: { start: { ...start, method: 'TRACE' } }, fault: /start\/method/ },
  {
    metadata: { start: { url: 'https://a/{{ job }}' } },
    fault: /\/start uses \{\{ job \}\}, which is not known there/,
  },
  {
    metadata: { start: { url: 'https://a/', body: { token: '{{ secret.awx }}' } } },
    fault: /uses \{\{ secret.awx \}\}/,
  },
  { metadata: { start, cancel: { url: 'https://a/{{ job }}' } }, fault: /\/cancel uses \{\{ job \}\}/ },
  {
    metadata: { start, follow: [{ url: 'https://a', until: { pointer: '/x' } }] },
    fault: /follow\/0\/until must have/,
  },
  {
    metadata: { start, follow: [{ url: 'https://a', until: { ...until, exists: true } }] },
    fault: /exactly one of in, contains and exists/,
  },
  { metadata: { start: { ...start, keep: { Job: '/id' } } }, fault: /keep/ },
])('refuses $metadata', ({ metadata, fault }) => {
  expect(judgeHttp(metadata)).toEqual({ fault: expect.stringMatching(fault) as unknown });
});

it('fills values into texts, and leaves those alone that it does not know', () => {
  const values = { host: 'node 1/a', key: 'k' };
  expect(fillUrl('https://a/{{ host }}?k={{key}}', values)).toBe('https://a/node%201%2Fa?k=k');
  expect(fillUrl('{{ queued }}api', { queued: 'https://j/item/7/' })).toBe('https://j/item/7/api');
  expect(fillValue({ limit: '{{ host }}', list: [1, '{{ other }}'], none: null }, values)).toEqual({
    ...{ limit: 'node 1/a', list: [1, '{{ other }}'], none: null },
  });
  expect(namesIn({ a: '{{ host }}', b: [{ c: 'x{{secret.awx}}y' }] })).toEqual(['host', 'secret.awx']);
});

it.each([
  { condition: { pointer: '/status', in: ['ok', 3] }, body: { status: 'ok' }, is: true },
  { condition: { pointer: '/status', in: ['ok', 3] }, body: { status: '3' }, is: false },
  { condition: { pointer: '/a/0/b~1c', exists: true }, body: { a: [{ 'b/c': 0 }] }, is: true },
  { condition: { pointer: '/executable', exists: true }, body: { executable: null }, is: false },
  { condition: { pointer: '/constructor', exists: true }, body: {}, is: false },
  { condition: { pointer: '/title', contains: 'key {{ key }}' }, body: { title: 'patch, key 17.' }, is: true },
  { condition: { pointer: '/title', contains: 'x' }, body: undefined, is: false },
])('$condition of $body is $is', ({ condition, body, is }) => {
  expect(holds(condition, body, { key: '17' })).toBe(is);
});

it('takes the first item of a list that is meant, and keeps short texts and numbers alone', () => {
  const body = {
    runs: [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
      { id: 3, name: 'b' },
    ],
  };
  const where = { pointer: '/name', contains: 'b' };
  expect(chosenFrom({ list: '/runs', where }, body, {})).toEqual({ id: 2, name: 'b' });
  expect(chosenFrom({ list: '/none' }, body, {})).toBeUndefined();
  expect(chosenFrom(undefined, body, {})).toBe(body);
  expect(partOf(body, '')).toBe(body);
  expect(keptFrom({ id: '/runs/0/id', at: 'header:Location' }, body, { location: '/x' })).toEqual({
    values: { id: '1', at: '/x' },
  });
  expect(keptFrom({ all: '/runs' }, body, {})).toEqual({ missing: 'all' });
  expect(keptFrom({ long: '/long' }, { long: 'x'.repeat(2001) }, {})).toEqual({ missing: 'long' });
});

describe('secrets', () => {
  const secrets = parseSecrets('{"awx": {"value": "Bearer s3cret", "for": "https://awx.example.org/api/"}}');
  const fill = (url: string, header = '{{ secret.awx }}') =>
    fillHeaders({ Authorization: header, 'X-Host': '{{ host }}' }, { host: 'node-1' }, { secrets, url: new URL(url) });

  it('go to the address that they are for, and to no other', () => {
    expect(fill('https://awx.example.org/api/v2/jobs/')).toEqual({
      headers: { Authorization: 'Bearer s3cret', 'X-Host': 'node-1' },
    });
    expect(fill('https://awx.example.org/other')).toEqual({
      because: '{{ secret.awx }} is not for https://awx.example.org',
    });
    expect(fill('https://evil.example.org/api/')).toEqual({ because: expect.stringMatching(/is not for/) as unknown });
    expect(fill('https://awx.example.org/api/', '{{ secret.other }}')).toEqual({
      because: expect.stringMatching(/other.* is not in the file/) as unknown,
    });
  });

  it.each([
    { text: 'nonsense s3cret', says: /is not JSON$/ },
    { text: '{"awx": "s3cret"}', says: /\/awx/ },
    { text: '{"awx": {"value": "s3cret", "for": "awx.example.org"}}', says: /"for" of awx must be an address/ },
  ])('are refused without being shown where the file is wrong: $says', ({ text, says }) => {
    expect(() => parseSecrets(text)).toThrow(says);
    expect(() => parseSecrets(text)).not.toThrow(/s3cret/);
  });
});
