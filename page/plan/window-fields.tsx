/** The maintenance windows of a session. */
import { Check, TextField } from '../parts/fields';
import { zone } from '../parts/times';
import type { Day, SteeringDraft } from './draft';

type Windows = SteeringDraft['windows'];
type Window = Windows[number];

const days: readonly (readonly [Day, string])[] = [
  ['mon', 'Mon'],
  ['tue', 'Tue'],
  ['wed', 'Wed'],
  ['thu', 'Thu'],
  ['fri', 'Fri'],
  ['sat', 'Sat'],
  ['sun', 'Sun'],
];

/** Each night: who wants fewer takes days away. */
const anotherWindow = (): Window => ({
  days: days.map(([day]) => day),
  from: '22:00',
  to: '06:00',
  time_zone: zone,
});

interface WindowFieldsProps {
  readonly windows: Windows;
  readonly onChange: (windows: Windows) => void;
}

export const WindowFields = ({ windows, onChange }: WindowFieldsProps) => (
  <fieldset>
    <legend>Maintenance windows</legend>
    {windows.length === 0 && <p class="hint">None: work may begin at any time.</p>}
    {windows.map((window, at) => (
      <OneWindow
        key={at}
        number={at + 1}
        window={window}
        onChange={(changed) => onChange(windows.with(at, changed))}
        onRemove={() => onChange(windows.toSpliced(at, 1))}
      />
    ))}
    <div class="buttons">
      <button type="button" class="button" onClick={() => onChange([...windows, anotherWindow()])}>
        Add a window
      </button>
    </div>
  </fieldset>
);

interface OneWindowProps {
  readonly number: number;
  readonly window: Window;
  readonly onChange: (window: Window) => void;
  readonly onRemove: () => void;
}

const OneWindow = ({ number, window, onChange, onRemove }: OneWindowProps) => (
  <div class="group framed" role="group" aria-label={`Window ${number}`}>
    <div class="days" role="group" aria-label="Days on which it opens">
      {days.map(([day, words]) => (
        <Check
          key={day}
          label={words}
          isChecked={window.days.includes(day)}
          onChange={(isChecked) => onChange({ ...window, days: daysWith(window.days, day, isChecked) })}
        />
      ))}
    </div>
    <div class="pair">
      <TextField label="Opens at" type="time" value={window.from} onChange={(from) => onChange({ ...window, from })} />
      <TextField label="Closes at" type="time" value={window.to} onChange={(to) => onChange({ ...window, to })} />
      <TextField
        label="Time zone"
        value={window.time_zone}
        onChange={(zone) => onChange({ ...window, time_zone: zone })}
      />
    </div>
    <div class="buttons">
      <button type="button" class="button" onClick={onRemove}>
        Remove window {number}
      </button>
    </div>
  </div>
);

const daysWith = (chosen: readonly Day[], day: Day, isChosen: boolean): Day[] =>
  days.flatMap(([one]) => ((one === day ? isChosen : chosen.includes(one)) ? [one] : []));
