/** Notes of the changes of a database's rows, and the readers of its columns. */

/** A row as PostgreSQL tells it in JSON. */
export type Row = Readonly<Record<string, unknown>>;

/** A change of one row: made (no old), changed, or deleted (no new). */
export interface Noted {
  readonly id: number;
  /** Seconds since 1970, when the change was made. */
  readonly at: number;
  readonly transaction: string;
  readonly source: string;
  readonly old: Row | null;
  readonly new: Row | null;
}

/** Empty where the row has no such text. */
export const text = (row: Row | null, column: string): string => {
  const value = row?.[column];
  return typeof value === 'string' ? value : '';
};
export const number = (row: Row | null, column: string): number => Number(row?.[column] ?? 0);
/** Seconds since 1970; undefined where the column is null. */
export const time = (row: Row | null, column: string): number | undefined => {
  const value = row?.[column];
  return typeof value === 'string' ? Date.parse(value) / 1000 : undefined;
};
