/** A setting: a variable of the environment, its meaning, its default, and the parser of its text. */
import type { Parser } from './setting-parsers';

export interface Setting<T> {
  /** The environment variable. */
  readonly name: string;
  readonly meaning: string;
  /** The default when the variable is not set: a text for the parser, or a description. */
  readonly default: { readonly text: string } | { readonly words: string };
  /** @throws UnfitValue when the text, or its absence, is not a valid value of the setting */
  readonly read: (given: string | undefined) => T;
}

interface MeaningAndParser<T> {
  readonly meaning: string;
  readonly parse: Parser<T>;
}

export const withDefault = <T>(name: string, text: string, { meaning, parse }: MeaningAndParser<T>): Setting<T> => ({
  name,
  meaning,
  default: { text },
  read: (given) => parse(given ?? text),
});

export const optional = <T>(
  name: string,
  words: string,
  { meaning, parse }: MeaningAndParser<T>,
): Setting<T | undefined> => ({
  name,
  meaning,
  default: { words },
  read: (given) => (given === undefined ? undefined : parse(given)),
});

export const required = <T>(
  name: string,
  words: string,
  { meaning, parse: parser }: MeaningAndParser<T>,
): Setting<T> => ({
  name,
  meaning,
  default: { words },
  read: (given) => parser(given ?? ''),
});
