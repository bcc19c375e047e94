import type { Reason } from '../../../../rules/reasons/reason';
import { type Freed, wakesOn, wakesWhen } from '../../../../rules/reasons/wakes';

const waitsFor = (waitingFor: Reason['waitingFor'], subject = 'web'): Reason => ({ waitingFor, who: 'a', subject });
const budget: Freed = { kind: 'budget' };
const room: Freed = { kind: 'room' };
const host: Freed = { kind: 'host', hostname: 'b' };

it.each([
  { situation: 'group', reason: waitsFor('group'), wakers: [budget, room, host] },
  { situation: 'recovery', reason: waitsFor('recovery'), wakers: [budget, room, host] },
  { situation: 'room', reason: waitsFor('room'), wakers: [room, host] },
  { situation: 'affinity', reason: waitsFor('affinity'), wakers: [room, host] },
  { situation: 'host b', reason: waitsFor('host', 'b'), wakers: [host] },
  { situation: 'host c', reason: waitsFor('host', 'c'), wakers: [] },
  { situation: 'its own turn', reason: waitsFor('host', 'a'), wakers: [] },
  { situation: 'answer', reason: waitsFor('answer'), wakers: [] },
])('a session that waits for $situation is woken by what may help it', ({ reason, wakers }) => {
  const keys = new Set(wakesOn([reason, waitsFor('time')]));
  const isWokenBy = (freed: Freed): boolean => wakesWhen(freed).some((key) => keys.has(key));
  expect([budget, room, host].filter(isWokenBy)).toEqual(wakers);
});

it('what wakes a session is kept once, in a fixed order', () => {
  const reasons = [waitsFor('room'), waitsFor('host', 'b'), waitsFor('group'), waitsFor('host', 'b')];
  expect(wakesOn(reasons)).toEqual(['budget', 'host b', 'room']);
});
