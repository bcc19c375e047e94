/** Addresses under which somebody without a token sees what is coming. A secret is known by its digest alone. */
import type { Id } from '../../rules/cloud/id';
import { type Database, inTransaction, type Queryable } from '../database';

export type SecretKind = 'calendar' | 'scheduled_events';

/** What an address is about: one project has one address of each. */
export interface SecretTarget {
  readonly kind: SecretKind;
  readonly projectId: Id;
  /** Left out: all instances of the project. */
  readonly instanceId?: Id;
}

export interface SecretRecord {
  readonly projectId: string;
  readonly instanceId: string | null;
  readonly createdAt: Date;
}

const meant = ({ kind, projectId, instanceId }: SecretTarget) => ({
  ...{ kind, projectKey: projectId.key, instanceKey: instanceId?.key ?? null },
});

/** Takes the place of the address before, which shows nothing any more. */
export const replaceSecretAddress = (db: Database, target: SecretTarget, sha256: string): Promise<SecretRecord> =>
  inTransaction(db, async (tx) => {
    await tx.secretAddress.deleteMany({ where: meant(target) });
    const { kind, projectId, instanceId } = target;
    const data = { sha256, kind, projectId: projectId.text, instanceId: instanceId?.text ?? null };
    return tx.secretAddress.create({ data });
  });

/** Null: there is none. */
export const findSecretAddress = (db: Queryable, target: SecretTarget): Promise<SecretRecord | null> =>
  db.secretAddress.findFirst({ where: meant(target), orderBy: { createdAt: 'desc' } });

/** Null: no such address was made, or it was withdrawn. */
export const findBySecret = (db: Queryable, kind: SecretKind, sha256: string): Promise<SecretRecord | null> =>
  db.secretAddress.findUnique({ where: { sha256, kind } });

/** Withdrawing one that is not there succeeds. */
export const removeSecretAddress = async (db: Queryable, target: SecretTarget): Promise<void> => {
  await db.secretAddress.deleteMany({ where: meant(target) });
};
