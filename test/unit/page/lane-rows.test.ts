import type { Blocker, Wait } from '../../../page/client/types';
import { laneOf } from '../../../page/session/lane-rows';

const aBlocker = (given: Partial<Blocker>): Blocker => ({
  ...{
    kind: 'no_capacity',
    severity: 'stops',
    when: 'now',
    subject_kind: 'host',
    subject: 'node-1',
    subject_name: 'node-1',
  },
  ...{ owner: 'operator', project_id: null, project_name: null, missing: null },
  because: 'amf needs 4 vcpus elsewhere',
  help: 'free capacity',
  ...given,
});

const aWait = (given: Partial<Wait>): Wait => ({
  ...{ waiting_for: 'answer', subject: 'p', subject_id: 'p', subject_name: 'web', owner: 'project' },
  ...{ because: null, help: null, host_count: 1, instance_count: 0, names: ['node-2'], since: null, seconds_left: 60 },
  ...given,
});

it('tells blockers that say the same once, with their hosts', () => {
  const blockers = ['node-1', 'node-2', 'node-3'].map((subject) => aBlocker({ subject, subject_name: subject }));
  const { forPeople, byItself } = laneOf({ blockers, waiting: [] }, true);
  expect(byItself).toEqual([]);
  expect(forPeople).toMatchObject([
    {
      ...{ weight: 'stops', words: 'amf needs 4 vcpus elsewhere', more: 'and the same for 2 more hosts' },
      ...{ upTo: 'the cloud team', hosts: ['node-1', 'node-2', 'node-3'], why: ['free capacity'] },
    },
  ]);
});

it.each<{ name: string; wait: Partial<Wait>; lead: string; hosts: string[] }>([
  { name: 'one host', wait: {}, lead: 'node-2 waits for', hosts: ['node-2'] },
  {
    name: 'a host and an instance',
    wait: { instance_count: 1, names: ['node-2', 'web-1'] },
    lead: 'node-2 and web-1 wait for',
    hosts: ['node-2'],
  },
  {
    name: 'many',
    wait: { host_count: 5, instance_count: 1, names: ['a', 'b', 'c', 'd', 'e'] },
    lead: '5 hosts and 1 instance wait for',
    hosts: ['a', 'b', 'c', 'd', 'e'],
  },
  {
    name: 'the session itself',
    wait: { host_count: 0, names: [] },
    lead: 'The session waits for',
    hosts: [],
  },
])('says that $name waits', ({ wait, lead, hosts }) => {
  const { forPeople } = laneOf({ blockers: [], waiting: [aWait(wait)] }, true);
  expect(forPeople).toMatchObject([{ lead, words: 'the answer of project web', upTo: 'the tenant web', hosts }]);
});

it('folds what ends by itself, unless the service is not at work', () => {
  const seen = {
    blockers: [
      aBlocker({ severity: 'note' }),
      aBlocker({ severity: 'delays', owner: 'service', because: 'a member recovers' }),
    ],
    waiting: [aWait({ waiting_for: 'recovery', owner: 'service' })],
  };
  expect(laneOf(seen, true)).toMatchObject({ forPeople: [], byItself: [{}, {}], notes: [{}] });
  const { forPeople, byItself, notes } = laneOf(seen, false);
  expect([byItself, notes]).toMatchObject([[], [{ weight: 'note' }]]);
  expect(forPeople).toMatchObject([
    { upTo: 'whoever makes the service ready again' },
    { upTo: 'whoever makes the service ready again' },
  ]);
});

it('leaves the stop of a session to people, also where the service takes the next step', () => {
  const ending = aBlocker({ kind: 'session_ending', owner: 'service', because: 'the session fails: no room' });
  expect(laneOf({ blockers: [ending], waiting: [] }, true)).toMatchObject({ forPeople: [{ weight: 'stops' }] });
});

it('says how many hosts wait besides those that are told', () => {
  const { forPeople } = laneOf({ blockers: [], waiting: [aWait({ host_count: 400, names: ['a', 'b'] })] }, true);
  expect(forPeople).toMatchObject([{ hosts: ['a', 'b'], moreHosts: 398 }]);
});
