/** What `parley set` can change, in the words of the API's document. Loaded late: the schemas take a library. */
import { ChangeSessionSchema } from '../../../api/schemas/steering-schemas';
import { type Column, type Fit, tableOf } from '../render/table';

interface SettableField {
  readonly name: string;
  /** As YAML in one line; undefined: no session is meant. */
  readonly value?: string;
  readonly meaning: string;
}

const columns: Column<SettableField>[] = [
  { title: 'FIELD', cell: ({ name }) => name },
  { title: 'NOW', cell: ({ value = '' }) => value, breaks: 'at words' },
  { title: 'WHAT', cell: ({ meaning }) => meaning, breaks: 'at words' },
];

/** Which interface has it says nothing at a desk. */
const meaningOf = (description = ''): string =>
  description.replace(/\.? An addition to the (interface|specification)$/, '');

const valueOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

type Session = Readonly<Record<string, unknown>>;

const fields = Object.entries(ChangeSessionSchema.properties).filter(([name]) => name !== 'session_id');

/** The names alone where no session is meant, else with their present values. */
export const settableIn = (session: Session | undefined): Session | string[] =>
  session === undefined
    ? fields.map(([name]) => name)
    : Object.fromEntries(fields.map(([name]) => [name, session[name] ?? null]));

/** @param session with its present values, as the detail has them */
export const settableLines = (session: Session | undefined, fit: Fit): string[] => {
  const rows = fields.map(([name, { description }]) => ({
    name,
    meaning: meaningOf(description),
    ...(session !== undefined && { value: valueOf(session[name]) }),
  }));
  const shown = session === undefined ? columns.filter(({ title }) => title !== 'NOW') : columns;
  return [...tableOf(shown, rows, fit), '', 'parley set SESSION FIELD=VALUE changes one, and FIELD= takes it away.'];
};
