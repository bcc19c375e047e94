/** Files and fields that commands read: YAML, of which JSON is a part; `-` is the standard input. */
import { readFile } from 'node:fs/promises';
import type { Console } from './console';
import { usageFailure } from './exit';
import { parseYaml } from './yaml';

export const readInputFile = async (console: Console, file: string): Promise<unknown> => {
  const text = file === '-' ? await console.readInput() : await readText(file);
  try {
    return parseYaml(text);
  } catch (error) {
    throw usageFailure(`${file} is neither YAML nor JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageFailure(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
};

export const dictionaryIn = (content: unknown, file: string): Readonly<Record<string, unknown>> => {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw usageFailure(`${file} holds no object`);
  }
  return { ...content };
};

/** FIELD=VALUE each. A value is YAML: 4, true, null, [a, b]; nothing behind the equals sign is null. */
export const fieldsIn = (texts: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(texts.map(fieldIn));

const fieldIn = (text: string): readonly [string, unknown] => {
  const at = text.indexOf('=');
  if (at < 1) throw usageFailure(`${text} is not FIELD=VALUE`);
  const value = text.slice(at + 1);
  try {
    return [text.slice(0, at), value === '' ? null : parseYaml(value)];
  } catch {
    throw usageFailure(`the value in ${text} is not YAML`);
  }
};
