/** Tables that fit the terminal: some of their columns give way. A pipe has no width, so nothing is cut in it. */
import { columnGap, tableLines } from '../../text-table';
import { printable } from './terminal-text';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** Gives way first where the terminal is narrow. */
  readonly gives?: true;
  /** Only with -o wide. */
  readonly wide?: true;
  /** Left out below this many columns. */
  readonly from?: number;
}

export interface Fit {
  readonly columns: number;
  readonly isWide?: boolean;
}

const narrowest = 8;

export const tableOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[], fit: Fit): string[] => {
  const shown = columns.filter(
    ({ wide, from = 0 }) => (wide !== true || fit.isWide === true) && (fit.isWide === true || fit.columns >= from),
  );
  const cells = [
    shown.map(({ title }) => title),
    ...rows.map((row) => shown.map(({ cell }) => printable(cell(row)) || '-')),
  ];
  const widths = fitted(
    shown.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0))),
    shown.map(({ gives }) => gives === true),
    fit.isWide === true ? Infinity : fit.columns,
  );
  return tableLines(cells.map((line) => line.map((cell, at) => clip(cell, widths[at] ?? 0))));
};

const fitted = (widths: readonly number[], gives: readonly boolean[], columns: number): number[] => {
  let over = widths.reduce((sum, width) => sum + width, 0) + columnGap.length * (widths.length - 1) - columns;
  return widths.map((width, at) => {
    if (over <= 0 || gives[at] !== true) return width;
    const kept = Math.max(narrowest, width - over);
    over -= width - kept;
    return kept;
  });
};

export const clip = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

/** A line that does not fit is broken between words; further lines are indented. */
export const wrap = (text: string, columns: number, indent = 0): string[] => {
  if (text.length <= columns) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length > columns && line.trim() !== '') {
      lines.push(line);
      line = `${' '.repeat(indent)}${word}`;
    } else line = next;
  }
  return [...lines, line];
};
