/** YAML, whose parser is loaded where a command first reads or writes some: most commands need none. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

const load = createRequire(__filename);
const yaml = (): typeof Yaml => load('yaml') as typeof Yaml;

/** @throws Error of the parser */
export const parseYaml = (text: string): unknown => yaml().parse(text) as unknown;

export const yamlOf = (value: unknown): string => yaml().stringify(value);
