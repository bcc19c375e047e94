import { useEffect } from 'preact/hooks';
import { ownZone, shownZone, type ZonedWindows, zoneOfWindows } from './shown-zone';

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
