import type { Admission, Decision } from '../../../../rules/decisions/decision';
import { keptPlaces } from '../../../../rules/steps/kept-places';

const asking = (instanceId: string): Admission => ({
  ...{ kind: 'ask', instanceId, groupKey: 'group', source: 'host-1', target: 'host-2', action: 'LIVE_MIGRATE' },
});
const nothing = { drain: [], begin: [], giveBackForDeadlock: [], waiting: [], lookAgainMs: 60_000 };
const planned: Decision = { ...nothing, admit: [asking('asked-later'), asking('asked-now')] };
const decision: Decision = { ...planned, admit: [asking('asked-now')] };
const places = (...instanceIds: string[]) => instanceIds.map((instanceId) => ({ instanceId, target: 'host-2' }));

it('keeps the place of an instance that is asked only later, and gives up that of one that is admitted', () => {
  const before = places('asked-later', 'asked-now');
  const plan = { decision: planned, reserved: new Map() };
  expect(keptPlaces(plan, decision, { own: before, all: before })).toEqual({ reserve: [], unreserve: ['asked-now'] });
});

it('reserves the place that an instance which is asked only later was given just now', () => {
  const plan = { decision: { ...planned, reserve: places('asked-later', 'asked-now') }, reserved: new Map() };
  const kept = { reserve: places('asked-later'), unreserve: [] };
  expect(keptPlaces(plan, decision, { own: [], all: [] })).toEqual(kept);
});

it('reserves what is new, and gives up the own places that do not hold any more', () => {
  const reserved = new Map([...places('waits', 'comes')].map(({ instanceId, target }) => [instanceId, target]));
  const plan = { decision: { ...nothing, admit: [], reserve: places('waits', 'comes') }, reserved };
  const own = places('waits', 'gone');
  const before = { own, all: [...own, ...places('of-another-session')] };
  expect(keptPlaces(plan, plan.decision, before)).toEqual({ reserve: places('comes'), unreserve: ['gone'] });
});
