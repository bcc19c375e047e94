import type { RecordEntry, SessionEvent } from '../../../page/client/types';
import { byHost, happeningsOf, projectsIn } from '../../../page/session/happenings';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 22, 0, second)).toISOString();

const anEvent = (second: number, given: Partial<SessionEvent> = {}): SessionEvent => ({
  ...{
    id: String(second),
    event_type: 'maintenance.host',
    timestamp: at(second),
    payload: {},
    words: `event ${second}`,
  },
  ...{ host: null, project_id: null, project_name: null },
  ...given,
});

const anAct = (second: number, given: Partial<RecordEntry> = {}): RecordEntry => ({
  ...{ at: at(second), last_at: at(second), count: 1, by: 'admin', who: 'ann', project_id: null, project_name: null },
  ...{ did: `act ${second}`, reason: null },
  ...given,
});

it('puts events and what people did into one order, the newest first', () => {
  const happenings = happeningsOf([anEvent(3), anEvent(1)], [anAct(0), anAct(2, { reason: 'a hole in the kernel' })]);
  expect(happenings.map(({ words, who, reason }) => [words, who, reason])).toEqual([
    ['event 3', '', ''],
    ['act 2', 'ann', 'a hole in the kernel'],
    ['event 1', '', ''],
    ['act 0', 'ann', ''],
  ]);
});

it.each<{ given: Partial<RecordEntry>; who: string }>([
  { given: {}, who: 'ann' },
  { given: { who: null }, who: 'admin' },
  { given: { by: 'project', project_id: 'p-1', project_name: 'web' }, who: 'web (ann)' },
  { given: { by: 'terms', who: null, project_id: 'p-1' }, who: 'p-1' },
])('names $who', ({ given, who }) => {
  expect(happeningsOf([], [anAct(1, given)])).toMatchObject([{ who }]);
});

it('knows the projects that something happened to, in natural order', () => {
  const named = (id: string, name: string): Partial<SessionEvent> => ({ project_id: id, project_name: name });
  const events = [anEvent(1, named('a', 'amf-10')), anEvent(2, named('b', 'amf-2')), anEvent(3, named('a', 'amf-10'))];
  expect(projectsIn(happeningsOf(events, []))).toEqual([
    ['b', 'amf-2'],
    ['a', 'amf-10'],
  ]);
});

it('groups by host, what is about the whole session last', () => {
  const events = [anEvent(4), anEvent(3, { host: 'b' }), anEvent(2, { host: 'a' }), anEvent(1, { host: 'b' })];
  const groups = byHost(happeningsOf(events, []));
  expect(groups.map(({ host, happenings }) => [host, happenings.length])).toEqual([
    ['b', 2],
    ['a', 1],
    [null, 1],
  ]);
});
