/** Tells whether impact happens within the hours of terms: for the answers of `ask: outside_hours`. */
import { hoursOf } from '../cloud/terms';
import { areHoursKept, hoursAhead, type OwnerHours } from '../owner-times/hours-ahead';
import { isPutOff } from '../owner-times/release';
import type { AskedOfTerms } from './answer-by-terms';

/** In a session that keeps hours, all impact does; in others what happens now may. Without hours, all does. */
export const inHours =
  (ownerHours: OwnerHours | null, nowMs: number): NonNullable<AskedOfTerms['isInHours']> =>
  (terms) => {
    const hours = hoursOf(terms);
    if (hours === undefined || areHoursKept(ownerHours, nowMs)) return true;
    const known = hoursAhead({ hours, ownerHours: null, calendar: undefined }, nowMs) ?? [];
    return !isPutOff({ ownerTimes: { hours: known } }, nowMs);
  };
