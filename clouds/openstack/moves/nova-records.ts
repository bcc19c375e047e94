/** What Nova has on record of a move of ours: the action, by its request, and the migration that the action began. */
import type { NovaAction, NovaMigration } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';
import { isCold, type NovaMove } from './move-log';

export interface NovaRecords {
  /** Undefined: the request is not known, or Nova does not know the action any more. */
  readonly action: NovaAction | undefined;
  readonly migration: NovaMigration | undefined;
}

export const recordsOf = async (
  nova: Pick<NovaApi, 'findAction' | 'listMigrations'>,
  move: NovaMove,
): Promise<NovaRecords> => {
  const { instanceId, requestId } = move;
  const action = requestId === null ? undefined : await nova.findAction(instanceId, requestId);
  return { action, migration: migrationOf(move, action, await nova.listMigrations(instanceId)) };
};

/** Nova's times have no zone and mean UTC. */
export const utcMs = (text: string): number => Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);

/** Nova's times are whole seconds, and the clocks of its services differ a little. */
const toleranceMs = 2_000;

/**
 * The first migration to the target since the action began. Others may have moved the server before and after: their
 * migrations are not ours.
 *
 * @param migrations newest first
 */
const migrationOf = (
  move: NovaMove,
  action: NovaAction | undefined,
  migrations: readonly NovaMigration[],
): NovaMigration | undefined => {
  const type = isCold(move) ? 'migration' : 'live-migration';
  const begunMs = action?.start_time == null ? move.novaTime.getTime() : utcMs(action.start_time);
  return migrations.findLast(
    ({ migration_type, created_at, dest_compute }) =>
      migration_type === type &&
      utcMs(created_at) >= begunMs - toleranceMs &&
      (dest_compute == null || move.target === null || dest_compute === move.target),
  );
};

/** True when Nova shows in the action that a service has carried out, or tried, this part of it. */
export const hasEvent = (action: NovaAction | undefined, event: string): boolean =>
  action?.events?.some((one) => one.event === event) ?? false;
