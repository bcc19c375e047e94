/** Adds whom an admin asks, as the project says in its terms, wherever a project is named as the owner. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findContacts } from '../../prisma/terms/project-terms';
import { keyOf } from '../../rules/cloud/id';
import type { BlockerBody } from '../schemas/blocker-schema';
import type { WaitBody } from '../schemas/summary-schemas';

interface OwnedByProjects {
  readonly blockers: BlockerBody[];
  readonly waiting?: WaitBody[];
}

/** The project whose answer is waited for; undefined: the wait is for something else. */
const projectAsked = ({ waiting_for: waitingFor, subject, subject_id: id }: WaitBody): string | undefined =>
  waitingFor === 'answer' ? (id ?? subject) : undefined;

/** A contact that a project tells its cloud counts before the one that is stored (docs/terms.md). */
export interface ContactSources {
  readonly db: Database;
  readonly cloud: Pick<CloudDriver, 'projectContacts'>;
}

export const withContacts = async <Body extends OwnedByProjects>(
  sources: ContactSources,
  body: Body,
): Promise<Body> => {
  const { blockers, waiting } = body;
  const owners = [...blockers.map(({ project_id: id }) => id), ...(waiting ?? []).map(projectAsked)];
  const contactOf = await contactsOf(
    sources,
    owners.flatMap((id) => id ?? []),
  );
  return {
    ...body,
    blockers: blockers.map((blocker) => ({ ...blocker, ...contactOf(blocker.project_id) })),
    ...(waiting && { waiting: waiting.map((wait) => ({ ...wait, ...contactOf(projectAsked(wait)) })) }),
  };
};

type Contact = Pick<BlockerBody, 'project_contact'>;

/** @returns a function that gives the field with the contact of a project, or no field */
export const contactsOf = async (
  { db, cloud }: ContactSources,
  projectIds: readonly string[],
): Promise<(projectId: string | null | undefined) => Contact> => {
  const told = [...((await cloud.projectContacts?.(projectIds)) ?? [])].map(
    ([id, contact]) => [keyOf(id), contact] as const,
  );
  const contacts = new Map([...(await findContacts(db, projectIds)), ...told]);
  return (projectId) => {
    const contact = typeof projectId === 'string' ? contacts.get(keyOf(projectId)) : undefined;
    return contact === undefined ? {} : { project_contact: contact };
  };
};
