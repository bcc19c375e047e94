/** Which of a server's actions in Nova are later than the request for a move, on clocks that differ. */
import { laterThan } from '../../../../../clouds/openstack/moves/adopt';

const novaTime = new Date('2026-01-01T12:00:00Z');
const listed = (...actions: readonly (readonly [id: string, seconds: number])[]) =>
  actions.map(([request_id, seconds]) => ({
    action: 'live-migration',
    request_id,
    user_id: 'we',
    start_time: new Date(novaTime.getTime() + seconds * 1000).toISOString(),
  }));

it.each([
  { situation: 'the clock that writes actions down is 90 s behind', listed: listed(['new', -90], ['old', -91]) },
  { situation: 'it is 90 s ahead', listed: listed(['new', 90], ['old', 60]) },
  { situation: 'Nova lists no known action any more', listed: listed(['new', -90]) },
  {
    situation: 'an older version logged it, without known actions',
    known: [],
    listed: listed(['new', -1], ['old', -9]),
  },
])('the one that Nova did not list before is later when $situation', ({ listed: actions, known = ['old'] }) => {
  expect(laterThan({ knownRequests: known, novaTime }, actions).map(({ request_id: id }) => id)).toEqual(['new']);
});

it('one that was listed before is not later, though its time is 90 s ahead', () => {
  expect(laterThan({ knownRequests: ['old'], novaTime }, listed(['old', 90], ['older', 80]))).toEqual([]);
});
