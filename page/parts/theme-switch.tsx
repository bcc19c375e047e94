/** Light or dark, as the system says until somebody chooses. */
import { signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const storedAs = 'parley-theme';

const theme = signal<Theme>('system');

const show = (chosen: Theme): void => {
  theme.value = chosen;
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
};

/** The last choice in this browser. */
export const restoreTheme = (): void => show(themes.find((one) => one === localStorage.getItem(storedAs)) ?? 'system');

export const ThemeSwitch = () => (
  <label class="theme">
    <span class="hidden">Colours</span>
    <select
      value={theme.value}
      onChange={({ currentTarget: { value } }) => {
        const chosen = themes.find((one) => one === value) ?? 'system';
        localStorage.setItem(storedAs, chosen);
        show(chosen);
      }}
    >
      {themes.map((one) => (
        <option key={one} value={one}>
          {one === 'system' ? 'As the system' : one === 'light' ? 'Light' : 'Dark'}
        </option>
      ))}
    </select>
  </label>
);
