/** Where the guest of a server is that Nova shows in ERROR on the source of its live migration. */
import { hasBegun, whereGuestIs } from '../../../../../clouds/openstack/moves/where-guest-is';

const begun = 'compute_live_migration';
const arriving = 'compute_post_live_migration_at_destination';
const rollingBack = 'compute_rollback_live_migration_at_destination';

it.each([
  { situation: 'the checks before failed', status: 'error', events: ['conductor_live_migrate_instance'], is: 'source' },
  { situation: 'Nova has rolled it back', status: 'failed', events: [begun], is: 'source' },
  { situation: 'it was aborted', status: 'cancelled', events: [begun], is: 'source' },
  { situation: 'the target cleaned up', status: 'error', events: [begun, rollingBack], is: 'source' },
  { situation: 'an earlier look saw it rolled back', status: 'error', events: [begun], seen: true, is: 'source' },
  { situation: 'it ran and ended in an error', status: 'error', events: [begun], is: 'unsure' },
  { situation: 'Nova does not tell the action', status: 'error', events: undefined, is: 'unsure' },
  { situation: 'Nova tells nothing', status: undefined, events: undefined, is: 'unsure' },
  { situation: 'the target was told that it runs there', status: 'error', events: [begun, arriving], is: 'left' },
  { situation: 'the same, though it was rolled back', status: 'failed', events: [begun, arriving], is: 'left' },
  { situation: 'the migration is completed', status: 'completed', events: [begun], seen: true, is: 'left' },
])('is $is when $situation', ({ status, events, seen = false, is }) => {
  const action = events && { events: events.map((event) => ({ event })) };
  const migration = status === undefined ? undefined : { status, created_at: '2026-01-01T00:00:00' };
  expect(whereGuestIs({ action, migration }, { rolledBack: seen })).toBe(is);
});

it('a migration counts as begun unless Nova shows that nothing was done', () => {
  expect(hasBegun({ action: undefined, migration: undefined })).toBe(true);
  expect(hasBegun({ action: { events: [] }, migration: undefined })).toBe(false);
});
