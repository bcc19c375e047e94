/** The settings table for readers: the table of docs/settings.md, and .env.example. */
import { allSettings, type Setting } from './settings-table';

const defaultText = ({ default: given }: Setting<unknown>): string =>
  'text' in given ? `\`${given.text}\`` : given.words;

/** `npm run settings:table` prints it; docs/settings.md holds it between its `settings` marks. */
export const settingsMarkdown = (): string => {
  const rows = allSettings.map((setting) => `| \`${setting.name}\` | ${setting.meaning} | ${defaultText(setting)} |`);
  return ['| Variable | Meaning | Default |', '| --- | --- | --- |', ...rows].join('\n');
};

const plain = (markdown: string): string => markdown.replaceAll('`', '');

const exampleLines = (setting: Setting<unknown>): string => {
  const { default: given, name, meaning } = setting;
  return 'text' in given
    ? `# ${plain(meaning)}\n#${name}=${given.text}\n`
    : `# ${plain(meaning)} Default: ${plain(given.words)}.\n#${name}=\n`;
};

/** Every setting with its default, each in a comment: a copy of the file changes nothing until you edit it. */
export const envExample = (): string =>
  `# Settings of Parley. Copy to .env, edit, and load with \`node --env-file=.env\` or your service manager.\n\n${allSettings
    .map(exampleLines)
    .join('\n')}`;
