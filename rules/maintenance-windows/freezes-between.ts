/** The freezes that hold a session within a span of time. */
import { between, type Interval } from './intervals';
import { daysOf, type FrozenInterval, type SessionCalendar } from './session-calendar';

const dayMs = 86_400_000;

/** Each with the first time in the span that it takes from the session; without those that take none. */
export const freezesBetween = (calendar: SessionCalendar, span: Interval): readonly FrozenInterval[] => {
  const { fromMs, toMs } = span;
  if ((calendar.freezes ?? []).length === 0 || toMs <= fromMs) return [];
  const { unfrozen, frozen } = daysOf(calendar, new Date(fromMs), Math.ceil((toMs - fromMs) / dayMs) + 1);
  const firsts = new Map<string, FrozenInterval>();
  for (const freeze of frozen) {
    const isTaken = between(unfrozen, freeze).some((one) => one.fromMs < toMs && one.toMs > fromMs);
    if (isTaken && !firsts.has(freeze.by)) firsts.set(freeze.by, freeze);
  }
  return [...firsts.values()];
};
