/** Judged by the reference implementation of Standard Webhooks, and by the lines that docs/webhooks.md shows. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { newSecret, signatureHeaders } from '../../../../events/webhooks/signature';

const content = (body: string) => ({
  id: '0f1c9c1e-5d0b-4d39-9a0e-6a3d2f6b7c11',
  timestamp: Math.floor(Date.now() / 1000),
  body,
});

const verifies = (secret: string, body: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

it.each(['{}', '{"host":"compute-1"}', '{"name":"Zürich – 東京 🌋"}'])('%s is verified by its receiver', (body) => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(verifies(secret, body, signatureHeaders([secret], content(body)))).toBe(true);
});

it('does not verify with another secret, another body, another ID or another time', () => {
  const [secret, other] = [newSecret(), newSecret()];
  const signed = content('{"a":1}');
  const headers = signatureHeaders([secret], signed);
  expect(verifies(other, signed.body, headers)).toBe(false);
  expect(verifies(secret, '{"a":2}', headers)).toBe(false);
  expect(verifies(secret, signed.body, { ...headers, 'webhook-id': 'other' })).toBe(false);
  expect(verifies(secret, signed.body, { ...headers, 'webhook-timestamp': String(signed.timestamp + 1) })).toBe(false);
});

it('verifies with either secret while one is replaced', () => {
  const [old, fresh] = [newSecret(), newSecret()];
  const signed = content('{}');
  const headers = signatureHeaders([fresh, old], signed);
  expect(verifies(old, '{}', headers)).toBe(true);
  expect(verifies(fresh, '{}', headers)).toBe(true);
});

describe('the receiver that docs/webhooks.md shows', () => {
  type Check = (secret: string, headers: Readonly<Record<string, string>>, body: string) => boolean;
  const page = readFileSync(path.join(__dirname, '../../../../docs/webhooks.md'), 'utf8');
  const [lines = ''] = / {4}const \{ createHmac[^]*? {4}\};\n/.exec(page) ?? [];
  const shown = compileFunction(`${lines}; return isFromParley;`, ['require']) as (use: NodeJS.Require) => Check;
  const isFromParley = shown(createRequire(__filename));

  const secret = newSecret();
  const signed = content('{"host":"compute-1"}');
  const headers = signatureHeaders([newSecret(), secret], signed);

  it.each([
    { situation: 'a delivery', given: {}, body: signed.body, expected: true },
    { situation: 'another body', given: {}, body: '{}', expected: false },
    { situation: 'another ID', given: { 'webhook-id': 'other' }, body: signed.body, expected: false },
    { situation: 'no time', given: { 'webhook-timestamp': 'soon' }, body: signed.body, expected: false },
    {
      situation: 'a signature that is none',
      given: { 'webhook-signature': 'v1,' },
      body: signed.body,
      expected: false,
    },
  ])('answers $expected for $situation', ({ given, body, expected }) => {
    expect(isFromParley(secret, { ...headers, ...given }, body)).toBe(expected);
  });

  it('refuses an old delivery that is sent once more', () => {
    const old = { ...signed, timestamp: signed.timestamp - 301 };
    expect(isFromParley(secret, signatureHeaders([secret], old), old.body)).toBe(false);
  });
});
