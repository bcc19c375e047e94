/** Rows of text in columns of equal width. */

export type TextRow = readonly string[];

export const columnGap = '  ';

export const tableLines = (rows: readonly TextRow[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: TextRow): string => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(columnGap);
  return rows.map((row) => line(row).trimEnd());
};
