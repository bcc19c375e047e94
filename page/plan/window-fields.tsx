/** The maintenance windows of a session, or the hours of an owner, which have the same grammar. */
import { ownZone } from '../live/shown-zone';
import { Check, Choice, TextField } from '../parts/fields';
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
  time_zone: ownZone,
});

interface WindowFieldsProps {
  readonly legend: string;
  /** Says what no window means. */
  readonly none: string;
  readonly windows: Windows;
  readonly onChange: (windows: Windows) => void;
}

export const WindowFields = ({ legend, none, windows, onChange }: WindowFieldsProps) => (
  <fieldset>
    <legend>{legend}</legend>
    {windows.length === 0 && <p class="hint">{none}</p>}
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
    <OpeningDayFields window={window} onChange={onChange} />
    <div class="pair">
      <TextField
        label="Opens at"
        type="time"
        value={window.from ?? ''}
        onChange={(from) => onChange({ ...window, from })}
      />
      <TextField label="Closes at" type="time" value={window.to ?? ''} onChange={(to) => onChange({ ...window, to })} />
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

const OpeningDayFields = ({ window, onChange }: Pick<OneWindowProps, 'window' | 'onChange'>) => (
  <>
    <Choice
      label="Repeats"
      value={repetitionOf(window)}
      options={repetitions}
      onChange={(repetition) => onChange(repeated(window, repetition))}
    />
    {window.days && (
      <div class="days" role="group" aria-label="Days on which it opens">
        {days.map(([day, words]) => (
          <Check
            key={day}
            label={words}
            isChecked={window.days?.includes(day) === true}
            onChange={(isChecked) => onChange({ ...window, days: daysWith(window.days ?? [], day, isChecked) })}
          />
        ))}
      </div>
    )}
    <div class="pair">
      {window.dates && (
        <DatesField label="Dates" dates={window.dates} onChange={(dates) => onChange({ ...window, dates })} />
      )}
      <DatesField label="Not on" dates={window.except ?? []} onChange={(except) => onChange({ ...window, except })} />
    </div>
  </>
);

interface DatesFieldProps {
  readonly label: string;
  readonly dates: readonly string[];
  readonly onChange: (dates: string[]) => void;
}

const DatesField = ({ label, dates, onChange }: DatesFieldProps) => (
  <TextField
    label={label}
    value={dates.join(',')}
    placeholder="2026-12-24,2026-12-25"
    onChange={(typed) => onChange(typed.split(','))}
  />
);

const repetitions = [
  ['weekly', 'each week'],
  ['1', 'the first of each month'],
  ['2', 'the second of each month'],
  ['3', 'the third of each month'],
  ['4', 'the fourth of each month'],
  ['-1', 'the last of each month'],
  ['dates', 'no: on dates'],
] as const;

type Nth = NonNullable<Window['nth']>[number];
type Repetition = (typeof repetitions)[number][0];

const repetitionOf = ({ dates, nth }: Window): Repetition =>
  dates ? 'dates' : (repetitions.find(([one]) => one === String(nth?.[0]))?.[0] ?? 'weekly');

const without = (window: Window, ...names: readonly (keyof Window)[]): Window =>
  Object.fromEntries(Object.entries(window).filter(([name]) => !names.some((one) => one === name))) as Window;

const repeated = (window: Window, repetition: Repetition): Window => {
  if (repetition === 'dates') return { ...without(window, 'days', 'nth'), dates: [] };
  const { days: chosen = days.map(([day]) => day) } = window;
  const weekly = { ...without(window, 'nth', 'dates'), days: chosen };
  return repetition === 'weekly' ? weekly : { ...weekly, nth: [Number(repetition) as Nth] };
};

const daysWith = (chosen: readonly Day[], day: Day, isChosen: boolean): Day[] =>
  days.flatMap(([one]) => ((one === day ? isChosen : chosen.includes(one)) ? [one] : []));
