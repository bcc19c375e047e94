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

export const Choice = <Value extends string>({ label, ...choice }: ChoiceProps<Value>) => (
  <label class="field">
    <span>{label}</span>
    <Options {...choice} />
  </label>
);

interface SelectProps<Value extends string> extends ChoiceProps<Value> {
  /** True where the options say what they are about. */
  readonly isLabelHidden?: boolean;
}

/** A choice of what is shown, beside others in one line. */
export const Select = <Value extends string>({ label, isLabelHidden = false, ...choice }: SelectProps<Value>) => (
  <label class={isLabelHidden ? '' : 'choice'}>
    <span class={isLabelHidden ? 'hidden' : ''}>{label}</span>
    <Options {...choice} />
  </label>
);

const Options = <Value extends string>({ value, options, onChange }: Omit<ChoiceProps<Value>, 'label'>) => (
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
);

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  /** Left out: the label. */
  readonly placeholder?: string;
}

export const Search = ({ label, value, onType, placeholder = label }: SearchProps) => (
  <label class="search">
    <span class="hidden">{label}</span>
    <input
      type="search"
      placeholder={placeholder}
      value={value}
      spellcheck={false}
      autocomplete="off"
      onInput={({ currentTarget }) => onType(currentTarget.value)}
    />
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
