/** Gives stored constraints to the instance that has taken the place of the one for which they were stored. */
import { keyOf } from '../../rules/cloud/id';
import { constraintsToPassOn, type PassedOn } from '../../rules/constraints/passed-on';
import { type Database, inTransaction } from '../database';
import { findAllConstraints } from './all-constraints';
import { inConstraintWriting, lockRecords } from './constraint-locks';
import { mostAtOnce } from './write-constraints';

/**
 * Of very many, the rest follows at the next call.
 * @returns those that went over
 */
export const passOnConstraints = async (
  db: Database,
  instances: Parameters<typeof constraintsToPassOn>[0],
): Promise<readonly PassedOn[]> => {
  if (!instances.some(({ keepsName }) => keepsName)) return [];
  const stored = await inTransaction(db, findAllConstraints);
  const all = constraintsToPassOn(instances, stored.instances).slice(0, mostAtOnce / 2);
  return all.length === 0 ? [] : moveRows(db, all);
};

/** Its project may have stored or deleted constraints meanwhile: that counts. */
const moveRows = (db: Database, all: readonly PassedOn[]): Promise<readonly PassedOn[]> =>
  inConstraintWriting(db, async (tx) => {
    const keyed = all.map(({ from, to }) => ({ from, to, fromKey: keyOf(from), toKey: keyOf(to) }));
    await lockRecords(
      tx,
      'instance',
      keyed.flatMap(({ fromKey, toKey }) => [fromKey, toKey]),
    );
    // A row that is deleted and inserted is noted among the changes under both keys (constraint-changes.ts).
    return tx.$queryRaw<PassedOn[]>`
      WITH passed AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(keyed)}::jsonb)
          AS r("from" text, "to" text, "fromKey" text, "toKey" text)
      ), gone AS (
        DELETE FROM instance_constraint AS old USING passed
        WHERE old.instance_key = passed."fromKey"
          AND NOT EXISTS (SELECT 1 FROM instance_constraint WHERE instance_key = passed."toKey")
        RETURNING passed."from", passed."to", old.project_id, old.group_id, old.instance_name, old.migration_type,
          old.max_interruption_time, old.resource_mitigation, old.lead_time, old.terms, old.created_at, old.updated_at
      ), given AS (
        INSERT INTO instance_constraint (instance_id, project_id, group_id, instance_name, migration_type,
          max_interruption_time, resource_mitigation, lead_time, terms, created_at, updated_at)
        SELECT "to", project_id, group_id, instance_name, migration_type, max_interruption_time, resource_mitigation,
          lead_time, terms, created_at, updated_at
        FROM gone
      )
      SELECT "from", "to" FROM gone`;
  });
