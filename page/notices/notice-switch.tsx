/** Turns notices of the desktop on and off. */
import { useState } from 'preact/hooks';
import { Check } from '../parts/fields';
import { mayNotify, setNotices, wantsNotices } from './consent';

export const NoticeSwitch = () => {
  const [isRefused, setRefused] = useState(false);
  if (!mayNotify()) return null;
  const change = async (isWanted: boolean): Promise<void> => setRefused(!(await setNotices(isWanted)));
  return (
    <div class="notice-switch">
      <Check
        label="Notify me if needed"
        isChecked={wantsNotices.value}
        onChange={(isWanted) => void change(isWanted)}
      />
      {isRefused && (
        <span class="hint" role="status">
          Your browser does not allow it.
        </span>
      )}
    </div>
  );
};
