/** The time zone of shown times: that of the maintenance windows of the open session, else the reader's own. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The zone of the browser, in which forms take times. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const shownZone = signal(ownZone);

type ZonedWindows = readonly { readonly time_zone: string }[] | null | undefined;

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

/** Shows all times in the zone of the windows for as long as the component is there. */
export const useZoneOfWindows = (windows: ZonedWindows): void => {
  const zone = zoneOfWindows(windows) ?? ownZone;
  useEffect(() => {
    shownZone.value = zone;
    return () => {
      shownZone.value = ownZone;
    };
  }, [zone]);
};
