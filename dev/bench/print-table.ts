/** Prints tables of measurements on standard output: names to the left, numbers to the right. */

type Cells = readonly string[];

const isNumber = (cell: string): boolean => /^[\d.-]+( %)?$/.test(cell);

/** @param rows the heading first */
export const printTable = (title: string, rows: readonly Cells[]): void => {
  const [heading = [], ...body] = rows;
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = heading.map((_, column) => body.every((row) => isNumber(row[column] ?? '')));
  const line = (row: Cells): string =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  process.stdout.write(`\n${title}\n${rows.map((row) => `  ${line(row)}\n`).join('')}`);
};
