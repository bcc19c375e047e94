/** Answers about one server that lack what decisions rest on, whatever is asked about it. */
import type { CallMatch, Misfortune } from './faulty-nova';

interface OddAnswers {
  readonly match: CallMatch;
  readonly misfortune: Misfortune;
}

const lacking = (field: string, id: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => lacking(field, id, each));
  if (typeof value !== 'object' || value === null) return value;
  const isOdd = 'id' in value && value.id === id;
  const fields = Object.entries(value).filter(([name]) => !(isOdd && name === field));
  return Object.fromEntries(fields.map(([name, each]) => [name, lacking(field, id, each)]));
};

export const withoutField = (field: string, id: string): OddAnswers => ({
  match: { method: 'GET', path: /\/servers\// },
  misfortune: { rewrite: (text) => JSON.stringify(lacking(field, id, JSON.parse(text))) },
});
