/** The forms of output: tables for people, json, yaml and name for scripts. */
import { Option } from 'commander';
import { stringify } from 'yaml';
import type { Console } from './console';
import { type Paint, paintFor } from './render/paint';

export const outputs = ['wide', 'json', 'yaml', 'name'] as const;
export type Output = (typeof outputs)[number];

export const outputOption = (): Option =>
  new Option('-o, --output <form>', 'form of the output, for scripts json, yaml or name').choices([...outputs]);

export interface Shown {
  /** The API's object, unchanged. */
  readonly object: unknown;
  /** TYPE/ID, one for each thing, fit for the next command. */
  readonly names: readonly string[];
  readonly lines: (look: Looks) => readonly string[];
}

export interface Looks {
  readonly columns: number;
  readonly isWide: boolean;
  readonly paint: Paint;
}

export const looksOf = (console: Console, output?: Output): Looks => ({
  columns: console.columns(),
  isWide: output === 'wide',
  paint: paintFor(console.isColoured),
});

export const show = (console: Console, output: Output | undefined, shown: Shown): void => {
  console.out(textOf(console, output, shown));
};

const textOf = (console: Console, output: Output | undefined, { object, names, lines }: Shown): string => {
  switch (output) {
    case 'json':
      return `${JSON.stringify(object, undefined, 2)}\n`;
    case 'yaml':
      return stringify(object);
    case 'name':
      return names.map((name) => `${name}\n`).join('');
    case 'wide':
    case undefined:
      return lines(looksOf(console, output))
        .map((line) => `${line}\n`)
        .join('');
  }
};
