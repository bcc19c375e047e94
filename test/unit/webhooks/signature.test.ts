/** Judged by the reference implementation of Standard Webhooks. */
import { Webhook } from 'standardwebhooks';
import { newSecret, signatureHeaders } from '../../../webhooks/signature';

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
