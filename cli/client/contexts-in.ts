/** The contexts that a configuration file holds. Loaded where there is one: checking its form takes a library. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { CommandFailure, exitCodes } from './exit';
import { parseYaml } from './yaml';

const ContextSchema = Type.Object(
  {
    url: Type.Optional(Type.String()),
    /** The environment variable that holds the token. */
    token_from: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type Context = Static<typeof ContextSchema>;

const ContextsSchema = Type.Object(
  { current: Type.Optional(Type.String()), contexts: Type.Record(Type.String(), ContextSchema) },
  { additionalProperties: false },
);
export type Contexts = Static<typeof ContextsSchema>;

/** @throws CommandFailure */
export const contextsIn = (text: string, file: string): Contexts => {
  const content = parseYaml(text);
  if (Value.Check(ContextsSchema, content)) return content;
  const [first] = Value.Errors(ContextsSchema, content);
  const where = first === undefined ? '' : `: ${first.path === '' ? 'the file' : first.path}: ${first.message}`;
  throw new CommandFailure(`${file} is no configuration of parley${where}`, exitCodes.usage, [
    'write it with `parley context set NAME --url URL`',
  ]);
};
