/** Colours, where the terminal shows them: none carries a meaning that the words do not. */
import { styleText } from 'node:util';

export interface Paint {
  readonly title: (text: string) => string;
  readonly progress: (text: string, progress: string) => string;
  readonly severity: (text: string, severity: string) => string;
  readonly quiet: (text: string) => string;
}

type Style = Parameters<typeof styleText>[0];

const progressStyles: Readonly<Record<string, Style>> = {
  failed: 'red',
  failing: 'red',
  paused: 'yellow',
  aborting: 'yellow',
  aborted: 'yellow',
};
const severityStyles: Readonly<Record<string, Style>> = { stops: 'red', delays: 'yellow' };

export const paintFor = (isColoured: boolean): Paint => {
  const styled = (style: Style | undefined, text: string): string =>
    isColoured && style !== undefined ? styleText(style, text, { validateStream: false }) : text;
  return {
    title: (text) => styled('bold', text),
    progress: (text, progress) => (text.startsWith('Progress') ? styled(progressStyles[progress], text) : text),
    severity: (text, severity) => styled(severityStyles[severity], text),
    quiet: (text) => styled('dim', text),
  };
};
