import { nameOr } from '../words/names';

/** Who can put an obstacle out of the way. */
export const owners = ['project', 'operator', 'admin', 'service'] as const;
export type Owner = (typeof owners)[number];

/** The owner of a wait or a blocker, with the name of the project where that is the owner. */
export interface Owned {
  readonly owner: Owner;
  readonly project_id?: string | null;
  readonly project_name?: string | null;
  /** Whom to ask about the project. */
  readonly project_contact?: string;
}

/** The people of a project. */
const tenantOf = ({ owner, project_id: id, project_name: name }: Owned): string | undefined =>
  owner === 'project' && id ? `the tenant ${nameOr(id, name ?? null)}` : undefined;

/**
 * The owner, as an admin is told in the terminal and on the page; follows "up to".
 *
 * @param isAtWork false while the service is not ready: nothing ends by itself then
 */
export const ownerInWords = (owned: Owned, isAtWork = true): string => {
  if (owned.owner === 'service' && !isAtWork) return 'whoever makes the service ready again';
  return (tenantOf(owned) ?? words[owned.owner]) + contactOf(owned);
};

const contactOf = ({ owner, project_contact: contact }: Owned): string =>
  owner === 'project' && contact !== undefined ? ` (${contact})` : '';

const words: Readonly<Record<Owner, string>> = {
  project: 'the tenant',
  operator: 'the cloud team',
  admin: 'you',
  service: 'nobody',
};
