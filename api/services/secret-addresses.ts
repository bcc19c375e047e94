/** Secret addresses: a project makes and withdraws them, and whoever has one needs no token. */
import { createHash, randomBytes } from 'node:crypto';
import {
  findBySecret,
  findSecretAddress,
  removeSecretAddress,
  replaceSecretAddress,
  type SecretKind,
  type SecretRecord,
  type SecretTarget,
} from '../../prisma/coming/secret-addresses';
import type { Database } from '../../prisma/database';
import { noSecretAddress, unknownSecret } from '../problems/coming-problems';
import type { SecretAddressBody, SecretAddressMadeBody } from '../schemas/coming-schemas';

export interface SecretAddresses {
  /** Withdraws the one before. The answer shows the address this once. */
  make(target: SecretTarget): Promise<SecretAddressMadeBody>;
  /** @throws ApiError 404 */
  find(target: SecretTarget): Promise<SecretAddressBody>;
  withdraw(target: SecretTarget): Promise<void>;
  /** @throws ApiError 404 */
  open(kind: SecretKind, secret: string): Promise<SecretRecord>;
}

/** Nobody guesses 256 bits, so a digest without salt is enough, and is found in an index. */
const secretBytes = 32;
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const pathOf: Readonly<Record<SecretKind, (secret: string) => string>> = {
  calendar: (secret) => `/v1/calendars/${secret}.ics`,
  scheduled_events: (secret) => `/v1/scheduledevents/${secret}`,
};

export const createSecretAddresses = (db: Database, baseUrl: string): SecretAddresses => ({
  async make(target) {
    const secret = randomBytes(secretBytes).toString('base64url');
    const { createdAt } = await replaceSecretAddress(db, target, digestOf(secret));
    return { url: `${baseUrl}${pathOf[target.kind](secret)}`, created_at: createdAt.toISOString() };
  },
  async find(target) {
    const found = await findSecretAddress(db, target);
    if (found === null) throw noSecretAddress();
    return { created_at: found.createdAt.toISOString() };
  },
  withdraw: (target) => removeSecretAddress(db, target),
  async open(kind, secret) {
    const found = await findBySecret(db, kind, digestOf(secret));
    if (found === null) throw unknownSecret();
    return found;
  },
});
