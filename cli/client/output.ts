/** The forms of output: tables for people, json, yaml and name for scripts. */
import { Option } from 'commander';
import type { Console } from './console';
import { usageFailure } from './exit';
import { type Paint, paintFor } from './render/paint';
import { wrap, wrapped } from './render/table';
import { printable } from './render/terminal-text';
import { yamlOf } from './yaml';

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
  /** Stand above the lines; for programs they go to the standard error. */
  readonly notices?: readonly string[];
}

/**
 * Tells that something was done to a thing.
 * @param words follow its name
 */
export const done = (
  name: string,
  words: string,
  { object, more = [] }: { readonly object: unknown; readonly more?: readonly string[] },
): Shown => ({ object, names: [name], lines: () => [`${name} ${words}`, ...more] });

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

/** The others are for programs. */
export const isForPeople = (output: Output | undefined): boolean => output === undefined || output === 'wide';

export const show = (console: Console, output: Output | undefined, shown: Shown): void => {
  const { notices = [] } = shown;
  const forPeople = isForPeople(output);
  const above = notices.flatMap((line) => wrap(printable(line), console.columns(), 2));
  const text = [...above, ...(above.length > 0 && forPeople ? [''] : [])].map((line) => `${line}\n`).join('');
  if (!forPeople && text !== '') console.err(text);
  console.out(`${forPeople ? text : ''}${textOf(console, output, shown)}`);
};

/** What the service says of itself, above all that depends on it. */
export const noticesOf = (problems: readonly string[]): string[] =>
  problems.map((problem) => `The service is not ready: ${problem}`);

/** @returns one of many objects for a program, as JSON lines or YAML documents; undefined: people read it */
export const asOneOfMany = (output: Output | undefined, object: unknown): string | undefined => {
  switch (output) {
    case 'json':
      return `${JSON.stringify(object)}\n`;
    case 'yaml':
      return `---\n${yamlOf(object)}`;
    case 'name':
      throw usageFailure('-o name is for things that have names: say json, yaml or nothing');
    case 'wide':
    case undefined:
      return undefined;
  }
};

const textOf = (console: Console, output: Output | undefined, { object, names, lines }: Shown): string => {
  switch (output) {
    case 'json':
      return `${JSON.stringify(object, undefined, 2)}\n`;
    case 'yaml':
      return yamlOf(object);
    case 'name':
      return names.map((name) => `${name}\n`).join('');
    case 'wide':
    case undefined:
      return lines(looksOf(console, output))
        .flatMap((line) => wrapped(line, console.columns()))
        .map((line) => `${line}\n`)
        .join('');
  }
};
