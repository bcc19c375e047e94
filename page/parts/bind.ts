/** Binds a field of a form to a value of its draft: `<TextField label="…" {...bind('deadline')} />`. */
export const bindTo =
  <Draft extends object>(draft: Draft, onChange: (change: Partial<Draft>) => void) =>
  <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    onChange: (value: Draft[Name]) => onChange({ ...draft, [name]: value }),
  });
