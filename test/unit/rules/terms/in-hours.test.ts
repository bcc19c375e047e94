import type { Terms } from '../../../../rules/cloud/terms';
import type { OwnerHours } from '../../../../rules/owner-times/hours-ahead';
import { inHours } from '../../../../rules/terms/in-hours';

const now = Date.parse('2026-01-05T12:00:00Z');
const hours = (from: string, to: string): Terms => ({ hours: [{ days: ['mon'], from, to, time_zone: 'UTC' }] });
const [open, closed] = [hours('11:00', '13:00'), hours('20:00', '22:00')];
const until = (time: string): OwnerHours => ({ mode: 'until', until: time });

it.each<{ is: boolean; terms: Terms; ownerHours: OwnerHours | null; where: string }>([
  { is: true, terms: closed, ownerHours: null, where: 'a session keeps hours' },
  { is: true, terms: closed, ownerHours: { mode: 'keep' }, where: 'a session says that it keeps them' },
  { is: false, terms: closed, ownerHours: { mode: 'ignore' }, where: 'a session ignores hours that are closed' },
  { is: true, terms: open, ownerHours: { mode: 'ignore' }, where: 'a session ignores hours that are open' },
  { is: true, terms: {}, ownerHours: { mode: 'ignore' }, where: 'there are no hours' },
  { is: true, terms: closed, ownerHours: until('2026-01-06T00:00:00Z'), where: 'a session still keeps hours' },
  { is: false, terms: closed, ownerHours: until('2026-01-05T00:00:00Z'), where: 'a session keeps hours no longer' },
])('impact is in hours where $where: $is', ({ is, terms, ownerHours }) => {
  expect(inHours(ownerHours, now)(terms)).toBe(is);
});

it('follows the time: the hours of the day do not go on behind their end', () => {
  const atHour = (hour: number) => inHours({ mode: 'ignore' }, Date.parse(`2026-01-12T${String(hour)}:00:00Z`))(closed);
  expect([19, 21, 23].map(atHour)).toEqual([false, true, false]);
});
