/** Whether somebody wants to be told by the desktop: kept in this browser, and nothing without the browser's leave. */
import { signal } from '@preact/signals';

const storedAs = 'parley-notices';

export const mayNotify = (): boolean => 'Notification' in window;

export const wantsNotices = signal(
  mayNotify() && Notification.permission === 'granted' && localStorage.getItem(storedAs) === 'on',
);

/** @returns false where the browser does not allow it */
export const setNotices = async (isWanted: boolean): Promise<boolean> => {
  const isAllowed = isWanted && (await Notification.requestPermission()) === 'granted';
  wantsNotices.value = isAllowed;
  localStorage.setItem(storedAs, isAllowed ? 'on' : 'off');
  return isAllowed === isWanted;
};
