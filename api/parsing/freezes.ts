/** Reads a freeze from the words of the interface, and says what is wrong with it. */
import { checkEachWindow, isTooFarAhead, tooFarAhead } from '../../forms/check-window';
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import type { Freeze, FreezeRange } from '../../rules/maintenance-windows/freeze';
import { isOver, standingOf } from '../../rules/maintenance-windows/freeze-standing';
import { openingAt, zoneProblemOf } from '../../rules/maintenance-windows/openings';
import type { FieldError } from '../problems/problem';
import { malformedId } from '../problems/problem-catalogue';
import { freezeNameMeaning, freezeNamePattern, type WriteFreezeBody } from '../schemas/freeze-schemas';
import { toWindow } from './steering';

/** @throws ApiError 400 naming the path's part */
export const parseFreezeName = ({ name }: Readonly<Record<string, unknown>>): string => {
  if (typeof name !== 'string' || !freezeNamePattern.test(name)) throw malformedId('name', freezeNameMeaning);
  return name;
};

export type ReadFreeze =
  | { readonly kind: 'freeze'; readonly freeze: Freeze }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

const invalid = (pointer: string, message: string): ReadFreeze => ({ kind: 'invalid', errors: [{ pointer, message }] });

export const readFreeze = (name: string, { reason, from, until, times }: WriteFreezeBody): ReadFreeze => {
  if (times !== undefined) {
    if (from !== undefined || until !== undefined) return invalid('', 'must have either from and until, or times');
    return { kind: 'freeze', freeze: { name, reason, times: times.map(toWindow) } };
  }
  if (from === undefined && until === undefined) return invalid('', 'must have either from and until, or times');
  const [begin, end] = [parsedTime(from), parsedTime(until)];
  if (begin === undefined) return invalid('/from', 'must be given with until; a time in the past means at once');
  if (end === undefined) return invalid('/until', 'must be given with from: a freeze without an end is not stored');
  return { kind: 'freeze', freeze: { name, reason, range: { fromMs: begin, untilMs: end } } };
};

const parsedTime = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseMaintenanceAt(text)?.getTime();

/** Each costs time whenever the opening of a session is worked out. */
const mostTimes = 100;

/** @param others freezes that are stored beside it */
export const checkFreeze = (freeze: Freeze, others: readonly Freeze[], now: Date): readonly FieldError[] => {
  const { range, times = [] } = freeze;
  const errors = range === undefined ? checkEachWindow(times, '/times', now) : checkRange(range, now);
  if (errors.length > 0) return errors;
  const pointer = range === undefined ? '/times' : '';
  const count = [...others, freeze].reduce((sum, one) => sum + (one.times?.length ?? 1), 0);
  if (count > mostTimes) {
    return [
      { pointer, message: `makes ${count} times with those of the other freezes; at most ${mostTimes} may be stored` },
    ];
  }
  return checkEnd(freeze, others, now).map((message) => ({ pointer, message }));
};

const checkRange = ({ fromMs, untilMs }: FreezeRange, now: Date): readonly FieldError[] => {
  const pointer = '/until';
  if (untilMs <= fromMs) return [{ pointer, message: `must lie after from, ${new Date(fromMs).toISOString()}` }];
  if (untilMs <= now.getTime()) return [{ pointer, message: 'lies in the past; nothing would be frozen' }];
  return isTooFarAhead(untilMs, now) ? [{ pointer, message: tooFarAhead }] : [];
};

/** A freeze that never ends would hold every session for ever; a pause is for that. */
const checkEnd = (freeze: Freeze, others: readonly Freeze[], now: Date): readonly string[] => {
  if (isOver(standingOf(freeze, now))) return ['must freeze a time after now; all their dates are over'];
  if (isEndless([freeze], now)) return ['never ends: leave a time in which sessions may begin, or pause the sessions'];
  // Of a freeze that has a zone that this API does not know, its workers tell so.
  if (!isEndless([...others, freeze], now)) return [];
  const names = others.map(({ name }) => name).join(', ');
  return [`leaves no time in which sessions may begin, together with the freezes ${names}`];
};

const isEndless = (freezes: readonly Freeze[], now: Date): boolean => {
  const calendar = { windows: null, freezes };
  return zoneProblemOf(calendar) === undefined && openingAt(calendar, now) === undefined;
};
