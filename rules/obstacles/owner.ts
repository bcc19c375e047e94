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

const projectOf = ({ owner, project_id: id, project_name: name }: Owned): string | undefined =>
  owner === 'project' && id ? `project ${nameOr(id, name ?? null)}` : undefined;

/** The owner, as the terminal names it. */
export const ownerInTerminal = (owned: Owned): string => (projectOf(owned) ?? owned.owner) + contactOf(owned);

/** The owner, as the page names it to an admin; follows "up to". */
export const ownerOnPage = (owned: Owned): string => (projectOf(owned) ?? onPage[owned.owner]) + contactOf(owned);

const contactOf = ({ owner, project_contact: contact }: Owned): string =>
  owner === 'project' && contact !== undefined ? ` (${contact})` : '';

const onPage: Readonly<Record<Owner, string>> = {
  project: 'the project',
  operator: 'the operator',
  admin: 'you',
  service: 'nobody: it ends by itself',
};
