/** The time zone of shown times: that of the maintenance windows of the open session, else the reader's own. */
import { signal } from '@preact/signals-core';

/** The zone of the browser, in which forms take times. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const shownZone = signal(ownZone);

export type ZonedWindows = readonly { readonly time_zone: string }[] | null | undefined;

/** @returns undefined: there is no window, their zones differ, or the browser does not know their zone */
export const zoneOfWindows = (windows: ZonedWindows): string | undefined => {
  const [zone, ...others] = new Set(windows?.map(({ time_zone: one }) => one));
  return zone !== undefined && others.length === 0 && isKnown(zone) ? zone : undefined;
};

const isKnown = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};
