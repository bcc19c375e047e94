/** Terms of projects as they store them. Those of instances and groups are stored with their constraints. */
import { type Id, type IdKey, keyOf } from '../../rules/cloud/id';
import type { ProjectTerms } from '../../rules/cloud/terms';
import type { Database, Queryable } from '../database';

/** Terms as their project has written them. Undefined: it has stored none. */
export const findProjectTerms = async (db: Queryable, { key }: Id): Promise<ProjectTerms | undefined> => {
  const row = await db.projectTerms.findUnique({ where: { projectKey: key } });
  // The API's parser has checked it.
  return row === null ? undefined : (row.terms as ProjectTerms);
};

/** Replaces all that was stored for the project. The same once more changes nothing. */
export const storeProjectTerms = async (db: Database, { text }: Id, terms: ProjectTerms): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO project_terms AS stored (project_id, terms) VALUES (${text}, ${JSON.stringify(terms)}::jsonb)
    ON CONFLICT (project_key) DO UPDATE
      SET project_id = EXCLUDED.project_id, terms = EXCLUDED.terms, updated_at = clock_timestamp()
    WHERE stored.terms IS DISTINCT FROM EXCLUDED.terms`;
};

/** Deleting terms that are not stored succeeds. */
export const deleteProjectTerms = async (db: Database, { key }: Id): Promise<void> => {
  await db.projectTerms.deleteMany({ where: { projectKey: key } });
};

/** Whom to ask about these projects, as far as their terms say. */
export const findContacts = async (
  db: Queryable,
  projectIds: readonly string[],
): Promise<ReadonlyMap<IdKey, string>> => {
  if (projectIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ projectKey: IdKey; contact: string }[]>`
    SELECT project_key AS "projectKey", terms ->> 'contact' AS contact FROM project_terms
    WHERE project_key = ANY(${[...new Set(projectIds.map(keyOf))]}::text[]) AND terms ? 'contact'`;
  return new Map(rows.map(({ projectKey, contact }) => [projectKey, contact]));
};
