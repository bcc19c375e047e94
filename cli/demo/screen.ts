/**
 * The demo's output. On a terminal it redraws a picture in place, with lines above it. Elsewhere it only writes the
 * lines, each once.
 */
import type { WriteStream } from 'node:tty';

export interface Screen {
  readonly isTerminal: boolean;
  /** Adds a line that stays. */
  readonly line: (text: string) => void;
  /** Replaces the picture by this one. Does nothing without a terminal. */
  readonly picture: (lines: readonly string[]) => void;
}

type ScreenOutput = Pick<WriteStream, 'isTTY' | 'columns' | 'rows' | 'write'>;

const usualColumns = 80;
const usualRows = 24;

export const createScreen = (output: ScreenOutput): Screen => {
  const isTerminal = output.isTTY;
  let shown: readonly string[] = [];
  const erase = (): string => (shown.length === 0 ? '' : `\x1b[${String(shown.length)}A\x1b[J`);
  const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  return {
    isTerminal,
    line: (text) => output.write(`${erase()}${text}\n${textOf(shown)}`),
    picture(lines) {
      if (!isTerminal) return;
      const before = erase();
      // A line that wraps, or a picture that scrolls, could not be erased again.
      const columns = (output.columns || usualColumns) - 1;
      shown = lines.slice(0, (output.rows || usualRows) - 1).map((line) => line.slice(0, columns));
      output.write(`${before}${textOf(shown)}`);
    },
  };
};
