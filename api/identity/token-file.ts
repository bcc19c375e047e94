/** The file of PARLEY_TOKENS_FILE: a JSON list of `{ sha256, name, role: admin | project, project_id }`. */
import { readFile } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { IdField, NameField } from '../../forms/field-types';
import { idOf } from '../../rules/cloud/id';
import { createBodyParser } from '../http/schema-check';
import type { FieldError } from '../problems/problem';
import type { Principal } from './identity';

/** The file only has the token's hash. */
export interface KnownToken {
  readonly sha256: Buffer;
  readonly principal: Principal;
}

const sha256Field = Type.String({ pattern: '^[0-9a-fA-F]{64}$' });
const TokenFileSchema = Type.Array(
  Type.Object(
    {
      sha256: sha256Field,
      name: Type.Optional(NameField('Who has the token, for the audit')),
      role: Type.Unsafe<'admin' | 'project'>({ type: 'string', enum: ['admin', 'project'] }),
      project_id: Type.Optional(IdField()),
    },
    { additionalProperties: false },
  ),
);
type TokenEntry = Static<typeof TokenFileSchema>[number];

const refuse = (errors: readonly FieldError[]): Error =>
  new Error(
    `the tokens file must be a JSON list of { sha256, name, role: admin | project, project_id }: ${errors
      .map(({ pointer, message }) => `${pointer || 'the file'} ${message}`)
      .join('; ')}`,
  );

const parseEntries = createBodyParser(TokenFileSchema, refuse);

const principalOf = ({ sha256, name, role, project_id: projectId }: TokenEntry, index: number): Principal => {
  const caller = sha256.toLowerCase();
  const known = { caller, callerName: name ?? `token ${caller.slice(0, 12)}` };
  if (role === 'admin') return { kind: 'admin', ...known };
  if (projectId === undefined) {
    throw refuse([{ pointer: `/${index}/project_id`, message: 'is missing; a token of role project needs it' }]);
  }
  return { kind: 'project', projectId: idOf(projectId), ...known };
};

/** @throws Error naming the fault of the text, without repeating the text */
export const parseTokens = (text: string): KnownToken[] => {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw refuse([{ pointer: '', message: 'is not JSON' }]);
  }
  return parseEntries(entries).map((entry, index) => ({
    sha256: Buffer.from(entry.sha256, 'hex'),
    principal: principalOf(entry, index),
  }));
};

export const readTokens = async (path: string): Promise<KnownToken[]> => {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`the tokens file ${path} (PARLEY_TOKENS_FILE) cannot be read`, { cause: error });
  });
  return parseTokens(text);
};
