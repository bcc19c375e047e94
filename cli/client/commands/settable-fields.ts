/**
 * The fields that `parley set` can change, described as in the API's document. It is loaded late, because its schemas
 * need a library that other commands do not.
 */
import { ChangeSessionSchema } from '../../../api/schemas/steering-schemas';

/** Which interface has it tells an admin nothing. */
const meaningOf = (description = ''): string =>
  description.replace(/\.? An addition to the (interface|specification)$/, '');

const valueOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

type ShownSession = Readonly<Record<string, unknown>>;

const fields = Object.entries(ChangeSessionSchema.properties).filter(([name]) => name !== 'session_id');

/** The names alone where no session is meant, else with their present values. */
export const settableIn = (session: ShownSession | undefined): ShownSession | string[] =>
  session === undefined
    ? fields.map(([name]) => name)
    : Object.fromEntries(fields.map(([name]) => [name, session[name] ?? null]));

/** @param session with its present values, as the detail has them */
export const settableLines = (session: ShownSession | undefined): string[] => [
  ...fields.flatMap(([name, { description }]) => [
    session === undefined ? name : `${name}=${valueOf(session[name])}`,
    `    ${meaningOf(description)}`,
  ]),
  '',
  'parley set SESSION FIELD=VALUE changes one, and FIELD= takes it away.',
];
