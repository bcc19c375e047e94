/**
 * Where the guest of a server is that Nova shows in ERROR on the source of a live migration. An older Nova shows ERROR
 * there although the guest has arrived at the target; with libvirt, a newer one does so when the migration was rolled
 * back. To reset the state of the first and to move it would run the guest twice.
 */
import type { NovaMove } from './move-log';
import { hasEvent, type NovaRecords } from './nova-records';

/**
 * - source: it never left.
 * - unsure: the records do not tell; the hypervisor of the source may be asked.
 * - left: it may run at the target.
 */
export type GuestPlace = 'source' | 'unsure' | 'left';

const rolledBack: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** True for a migration that Nova has rolled back. With libvirt its status becomes `error` a second later. */
export const isRolledBack = ({ migration }: NovaRecords): boolean =>
  migration !== undefined && rolledBack.has(migration.status);

/** False only when nova-compute of the source was never told to migrate: the checks before have failed. */
export const hasBegun = ({ action }: NovaRecords): boolean =>
  action?.events === undefined || hasEvent(action, 'compute_live_migration');

/** @param move what was seen of it before */
export const whereGuestIs = (records: NovaRecords, move: Pick<NovaMove, 'rolledBack'>): GuestPlace => {
  if (records.migration?.status === 'completed') return 'left';
  // The target was told that the guest runs there now.
  if (hasEvent(records.action, 'compute_post_live_migration_at_destination')) return 'left';
  if (!hasBegun(records)) return 'source';
  const isBack = move.rolledBack || isRolledBack(records);
  return isBack || hasEvent(records.action, 'compute_rollback_live_migration_at_destination') ? 'source' : 'unsure';
};
