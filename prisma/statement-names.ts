/**
 * Names of statements, by which PostgreSQL parses and plans a statement once for each connection and not at each use. A
 * third of the processor time of a server under sessions went into that before.
 */
import { createHash } from 'node:crypto';

export interface StatementNamesOptions {
  /** A statement gets its name at this use: a rare one is not worth the server's memory. */
  readonly fromUse?: number;
  /** The maximum number of names: each connection may keep a plan for each of them. */
  readonly mostNames?: number;
}

/** The name of the statement with this text; an empty one leaves the statement without a name. */
export type StatementNames = (text: string) => string;

const mostTexts = 10_000;

/** The same text has the same name in all processes, so that lists of prepared statements can be compared. */
export const createStatementNames = ({ fromUse = 3, mostNames = 300 }: StatementNamesOptions = {}): StatementNames => {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (names.size >= mostNames) return '';
    const use = (uses.get(text) ?? 0) + 1;
    if (use < fromUse) {
      // Lists of any length make texts without end.
      if (uses.size < mostTexts) uses.set(text, use);
      return '';
    }
    uses.delete(text);
    const made = `parley_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, made);
    return made;
  };
};
