/** The keys of the page, when somebody is told by the desktop, and the filters of the list. */
import { afterKey, rowAfter, shortcuts } from '../../../page/keys/shortcuts';
import { needOf } from '../../../page/notices/needs';
import { noFilters, queryOf } from '../../../page/sessions/list-query';

describe('a key', () => {
  it.each([
    { pressed: ['/'], action: 'search' },
    { pressed: ['?'], action: 'help' },
    { pressed: ['j'], action: 'down' },
    { pressed: ['k'], action: 'up' },
    { pressed: ['n'], action: 'new' },
    { pressed: ['g', 's'], action: 'sessions' },
    { pressed: ['g', 'g', 's'], action: 'sessions' },
    { pressed: ['g', 'n'], action: 'new' },
    { pressed: ['g'], action: undefined },
    { pressed: ['s'], action: undefined },
    { pressed: ['x', 's'], action: undefined },
  ])('after $pressed does $action', ({ pressed, action }) => {
    const outcome = pressed.reduce<ReturnType<typeof afterKey>>((last, key) => afterKey(key, last.pending), {
      pending: [],
    });
    expect(outcome.action).toBe(action);
  });

  it('does one thing alone, and each thing has one key', () => {
    expect(new Set(shortcuts.map(({ keys }) => keys.join(' '))).size).toBe(shortcuts.length);
    expect(new Set(shortcuts.map(({ action }) => action)).size).toBe(shortcuts.length);
  });

  it.each([
    { at: -1, by: 1 as const, to: 0 },
    { at: -1, by: -1 as const, to: 0 },
    { at: 0, by: 1 as const, to: 1 },
    { at: 2, by: 1 as const, to: undefined },
    { at: 0, by: -1 as const, to: undefined },
    { at: 2, by: -1 as const, to: 1 },
  ])('leads from row $at of three by $by to $to', ({ at, by, to }) => {
    expect(rowAfter(at, by, 3)).toBe(to);
  });
});

describe('somebody is told of a session that', () => {
  const well = { progress: 'running', failure: null, paused_because: null, waiting: [] } as const;
  const aWait = (owner: 'admin' | 'project', because: string | null = 'a right is missing') => [
    { waiting_for: 'host' as const, owner, because, subject: 'compute-1', subject_name: null },
  ];
  const windowWait = (owner: 'admin') => ({
    ...{ waiting_for: 'window' as const, owner, subject: 'maintenance windows', subject_name: null },
    because: 'no window opens any more',
  });

  it.each<{ does: string; facts: Parameters<typeof needOf>[0]; need: ReturnType<typeof needOf> }>([
    { does: 'runs', facts: well, need: undefined },
    {
      does: 'has failed',
      facts: { ...well, progress: 'failed', failure: 'compute-1 is locked' },
      need: { kind: 'failed', words: 'It has failed: compute-1 is locked' },
    },
    {
      does: 'has paused itself',
      facts: { ...well, progress: 'paused', paused_because: 'nobody answered' },
      need: { kind: 'paused', words: 'It has paused itself: nobody answered' },
    },
    { does: 'an admin has paused', facts: { ...well, progress: 'paused', waiting: aWait('admin') }, need: undefined },
    {
      does: 'waits for an admin',
      facts: { ...well, waiting: [...aWait('project'), ...aWait('admin')] },
      need: { kind: 'waits', words: 'It waits for you: a right is missing' },
    },
    {
      does: 'waits for an admin, without a reason',
      facts: { ...well, waiting: aWait('admin', null) },
      need: { kind: 'waits', words: 'It waits for you: compute-1' },
    },
    { does: 'waits for a project', facts: { ...well, waiting: aWait('project') }, need: undefined },
    {
      does: 'waits for a window, and none opens any more',
      facts: { ...well, progress: 'closed', waiting: [...aWait('admin'), windowWait('admin')] },
      need: { kind: 'waits', words: 'It waits for you: no window opens any more' },
    },
    {
      does: 'waits for its window or the end of a freeze',
      facts: { ...well, progress: 'closed', waiting: aWait('admin') },
      need: undefined,
    },
    { does: 'is done', facts: { ...well, progress: 'done', waiting: aWait('admin') }, need: undefined },
  ])('$does', ({ facts, need }) => {
    expect(needOf(facts)).toEqual(need);
  });
});

it.each([
  { given: {}, query: {} },
  { given: { state: 'done', host: ' rack7-* ', name: ' CHG' }, query: { state: 'done', host: 'rack7-*', name: 'CHG' } },
  { given: { days: '1' }, query: { since: '2026-05-31T10:00:00.000Z' } },
  { given: { isArchived: true }, query: { archived: 'true' } },
])('the filters $given ask for $query', ({ given, query }) => {
  expect(queryOf({ ...noFilters, ...given }, Date.parse('2026-06-01T10:59:00Z'))).toEqual(query);
});
