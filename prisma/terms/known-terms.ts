/** The terms that count for questions and instances, from the three places in which they stand. */
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { Terms } from '../../rules/cloud/terms';
import type { KnownTerms } from '../../rules/terms/answer-by-terms';
import type { StoredConstraints } from '../constraints/constraints-for-decisions';
import type { Queryable, Transaction } from '../database';

interface TermsScope {
  readonly projectIds: readonly string[];
  readonly instanceIds: readonly string[];
}

/** The terms of these projects, and those in the constraints of these instances and of their groups. */
export const findTermsOf = async (db: Queryable, { projectIds, instanceIds }: TermsScope): Promise<KnownTerms> => ({
  projects: await findProjects(db, [...new Set(projectIds.map(keyOf))]),
  instances: await findInConstraints(db, instanceIds.map(keyOf)),
});

/** All terms, for decisions, plans and expectations, with the constraints that the caller has read. */
export const findAllTerms = async (tx: Transaction, constraints: StoredConstraints): Promise<KnownTerms> => ({
  projects: await findProjects(tx, null),
  instances: termsIn(constraints),
});

/** @param keys null: all */
const findProjects = async (db: Queryable, keys: readonly IdKey[] | null): Promise<KnownTerms['projects']> => {
  const rows = await db.$queryRaw<{ projectKey: IdKey; terms: Terms }[]>`
    SELECT project_key AS "projectKey", terms FROM project_terms
    WHERE ${keys}::text[] IS NULL OR project_key = ANY(${keys}::text[])`;
  return new Map(rows.map(({ projectKey, terms }) => [projectKey, terms]));
};

interface OfInstance {
  readonly instanceKey: IdKey;
  readonly own: Terms | null;
  readonly ofGroup: Terms | null;
}

/** A group counts for the instances of its own project alone. */
const findInConstraints = async (db: Queryable, keys: readonly IdKey[]): Promise<KnownTerms['instances']> => {
  const rows = await db.$queryRaw<OfInstance[]>`
    SELECT own.instance_key AS "instanceKey", own.terms AS own, of_group.terms AS "ofGroup"
    FROM instance_constraint AS own
    LEFT JOIN group_constraint AS of_group
      ON of_group.group_key = own.group_key AND id_key(of_group.project_id) = own.project_key
    WHERE (own.terms IS NOT NULL OR of_group.terms IS NOT NULL) AND own.instance_key = ANY(${keys}::text[])`;
  return new Map(
    rows.map(({ instanceKey, own, ofGroup }) => [instanceKey, [own, ofGroup].filter((terms) => terms !== null)]),
  );
};

const termsKnown = new WeakMap<StoredConstraints, KnownTerms['instances']>();

/** The same of all constraints. A cache: they are the same object until one of them changes. */
const termsIn = (constraints: StoredConstraints): KnownTerms['instances'] => {
  const known = termsKnown.get(constraints);
  if (known) return known;
  const groups = new Map(
    constraints.groups
      .filter(({ terms }) => terms !== null)
      .map(({ groupId, projectId, terms }) => [keyOf(groupId), { projectKey: keyOf(projectId), terms }]),
  );
  const terms = constraints.instances.flatMap(({ instanceId, projectId, groupId, terms: own }) => {
    const group = groups.get(keyOf(groupId));
    const ofGroup = group?.projectKey === keyOf(projectId) ? group.terms : null;
    const places = [own, ofGroup].filter((one) => one !== null);
    return places.length === 0 ? [] : [[keyOf(instanceId), places] as const];
  });
  const found = new Map(terms);
  termsKnown.set(constraints, found);
  return found;
};
