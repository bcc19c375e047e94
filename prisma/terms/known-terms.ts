/** The terms that count for questions and instances, from the three places in which they stand. */
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { KnownTerms } from '../../rules/terms/answer-by-terms';
import type { Terms } from '../../rules/terms/terms';
import type { Queryable } from '../database';

interface TermsScope {
  readonly projectIds: readonly string[];
  readonly instanceIds: readonly string[];
}

/** The terms of these projects, and those in the constraints of these instances and of their groups. */
export const findTermsOf = (db: Queryable, { projectIds, instanceIds }: TermsScope): Promise<KnownTerms> =>
  readTerms(db, { projects: [...new Set(projectIds.map(keyOf))], instances: instanceIds.map(keyOf) });

/** All terms, for plans and expectations. */
export const findAllTerms = (db: Queryable): Promise<KnownTerms> => readTerms(db, { projects: null, instances: null });

interface OfInstance {
  readonly instanceKey: IdKey;
  readonly own: Terms | null;
  readonly ofGroup: Terms | null;
}

/** @param keys null: all */
const readTerms = async (
  db: Queryable,
  keys: { readonly projects: readonly IdKey[] | null; readonly instances: readonly IdKey[] | null },
): Promise<KnownTerms> => {
  const projects = await db.$queryRaw<{ projectKey: IdKey; terms: Terms }[]>`
    SELECT project_key AS "projectKey", terms FROM project_terms
    WHERE ${keys.projects}::text[] IS NULL OR project_key = ANY(${keys.projects}::text[])`;
  // A group counts for the instances of its own project alone.
  const instances = await db.$queryRaw<OfInstance[]>`
    SELECT own.instance_key AS "instanceKey", own.terms AS own, of_group.terms AS "ofGroup"
    FROM instance_constraint AS own
    LEFT JOIN group_constraint AS of_group
      ON of_group.group_key = own.group_key AND id_key(of_group.project_id) = own.project_key
    WHERE (own.terms IS NOT NULL OR of_group.terms IS NOT NULL)
      AND (${keys.instances}::text[] IS NULL OR own.instance_key = ANY(${keys.instances}::text[]))`;
  return {
    projects: new Map(projects.map(({ projectKey, terms }) => [projectKey, terms])),
    instances: new Map(
      instances.map(({ instanceKey, own, ofGroup }) => [instanceKey, [own, ofGroup].filter((terms) => terms !== null)]),
    ),
  };
};
