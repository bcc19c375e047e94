/** Checks a maintenance window, or a time of a freeze, which has the same grammar. */
import type { MaintenanceWindow } from '../rules/maintenance-windows/maintenance-window';
import { mostDaysAhead } from '../rules/maintenance-windows/openings';
import type { SchemaFault } from '../rules/words/schema-fault';

/** @param pointer to the list */
export const checkEachWindow = (windows: readonly MaintenanceWindow[], pointer: string, now: Date): SchemaFault[] =>
  windows.flatMap((window, index) =>
    [...checkDays(window), ...checkTimes(window), ...checkDates(window, now)].map((error) => ({
      pointer: `${pointer}/${index}${error.pointer}`,
      message: error.message,
    })),
  );

const checkDays = ({ days, dates, nth }: MaintenanceWindow): SchemaFault[] => {
  if ((days === undefined) === (dates === undefined)) {
    return [{ pointer: '', message: 'must have either days or dates' }];
  }
  if (nth === undefined || days !== undefined) return [];
  return [{ pointer: '/nth', message: 'says which weekdays of a month, so days must be given with it' }];
};

/** Only the author knows whether a whole day or nothing is meant where both are the same. */
const checkTimes = ({ from, to }: MaintenanceWindow): SchemaFault[] => {
  if (from === undefined && to === undefined) return [];
  if (from === undefined)
    return [{ pointer: '/from', message: 'must be given with to; leave out both for whole days' }];
  if (to === undefined) return [{ pointer: '/to', message: 'must be given with from; leave out both for whole days' }];
  return from === to
    ? [{ pointer: '/to', message: `must differ from from, ${from}; leave out both for whole days` }]
    : [];
};

const checkDates = ({ dates = [] }: MaintenanceWindow, now: Date): SchemaFault[] =>
  dates.flatMap((date, index) =>
    isTooFarAhead(Date.parse(date), now) ? [{ pointer: `/dates/${index}`, message: tooFarAhead }] : [],
  );

export const tooFarAhead = `must lie within the next ${mostDaysAhead} days`;

export const isTooFarAhead = (ms: number, now: Date): boolean => ms - now.getTime() > mostDaysAhead * 86_400_000;
