/** Signs deliveries by the scheme of Standard Webhooks 1.0 (docs/webhooks.md). */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const keyBytes = 32;

export const newSecret = (): string => `${prefix}${randomBytes(keyBytes).toString('base64')}`;

export interface SignedContent {
  /** The message_id: the same in every attempt. */
  readonly id: string;
  /** Seconds since 1970, of this attempt. */
  readonly timestamp: number;
  /** Exactly the text that is sent. */
  readonly body: string;
}

const signatureOf = (secret: string, { id, timestamp, body }: SignedContent): string => {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};

/** @param secrets one signature for each: while a secret is replaced, receivers know one of two */
export const signatureHeaders = (secrets: readonly string[], content: SignedContent): Record<string, string> => ({
  'webhook-id': content.id,
  'webhook-timestamp': String(content.timestamp),
  'webhook-signature': secrets.map((secret) => signatureOf(secret, content)).join(' '),
});
