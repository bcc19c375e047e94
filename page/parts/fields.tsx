/** Fields of forms, each with its label. */
interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'number' | 'datetime-local' | 'time';
  readonly hint?: string;
  readonly placeholder?: string;
  readonly list?: readonly string[];
  readonly isRequired?: boolean;
}

export const TextField = ({
  label,
  value,
  onChange,
  type = 'text',
  hint,
  placeholder,
  list,
  isRequired,
}: TextFieldProps) => {
  const listId = list && `list of ${label}`.replaceAll(' ', '-');
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type={type}
        value={value}
        required={isRequired}
        placeholder={placeholder}
        list={listId}
        spellcheck={false}
        autocomplete="off"
        {...(type === 'number' && { min: 0, step: 1 })}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {list && (
        <datalist id={listId}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  );
};

interface AreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

export const Area = ({ label, value, onChange, hint, isRequired }: AreaProps) => (
  <label class="field">
    <span>{label}</span>
    <textarea
      value={value}
      required={isRequired}
      spellcheck={false}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
    {hint !== undefined && <span class="hint">{hint}</span>}
  </label>
);

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** The meaning of each choice. */
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}

export const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => (
  <label class="field">
    <span>{label}</span>
    <select
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([one]) => one === currentTarget.value);
        if (chosen !== undefined) onChange(chosen[0]);
      }}
    >
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  </label>
);

interface CheckProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export const Check = ({ label, isChecked, isDisabled = false, onChange }: CheckProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isChecked}
      disabled={isDisabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span>{label}</span>
  </label>
);
