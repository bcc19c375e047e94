/** Tables that fit the terminal: some of their columns give way. A pipe has no width, so nothing gives way in it. */
import { stripVTControlCharacters } from 'node:util';
import { columnGap, tableLines } from '../../text-table';
import { printable } from './terminal-text';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /**
   * Says how a text gives way in a narrow terminal. at words: it goes on in further lines. in the middle: it is
   * shortened there. Names of hosts stay whole.
   */
  readonly breaks?: 'at words' | 'in the middle';
  /** Is left out where the columns do not fit, though the others have given way. */
  readonly mayGo?: true;
  /** Only with -o wide. */
  readonly wide?: true;
}

export interface Fit {
  readonly columns: number;
  readonly isWide?: boolean;
}

const narrowest = { 'in the middle': 24, 'at words': 16 } as const;

export const tableOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[], fit: Fit): string[] => {
  const isWide = fit.isWide === true;
  const room = isWide ? Infinity : fit.columns;
  const all = columns.filter(({ wide }) => wide !== true || isWide).map((column) => measured(column, rows));
  const shown = withoutLast(all, room);
  const widths = fitted(shown, room);
  const lineOf = (at: number): string[][] =>
    asLines(shown.map(({ cells, broken }, column) => broken(cells[at] ?? '', widths[column] ?? 0)));
  return tableLines([0, ...rows.map((_, row) => row + 1)].flatMap(lineOf));
};

interface Measured {
  /** The title first. */
  readonly cells: readonly string[];
  readonly width: number;
  /** The width down to which it gives way. */
  readonly least: number;
  readonly broken: (cell: string, width: number) => readonly string[];
  readonly mayGo: boolean;
}

const measured = <Row>({ title, cell, breaks, mayGo }: Column<Row>, rows: readonly Row[]): Measured => {
  const cells = [title, ...rows.map((row) => printable(cell(row)) || '-')];
  const widest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));
  const width = widest(cells);
  const shared = { cells, width, mayGo: mayGo === true };
  if (breaks === undefined) return { ...shared, least: width, broken: (text) => [text] };
  if (breaks === 'in the middle')
    return { ...shared, least: Math.min(width, narrowest[breaks]), broken: (text, to) => [shorten(text, to)] };
  const longestWord = widest(cells.flatMap((text) => text.split(' ')));
  return {
    ...shared,
    least: Math.min(width, Math.max(narrowest[breaks], longestWord)),
    broken: (text, to) => wrap(text, to),
  };
};

/** The lines of one row, whose cells have a different number of lines. */
const asLines = (cells: readonly (readonly string[])[]): string[][] =>
  Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, at) =>
    cells.map((lines) => lines[at] ?? ''),
  );

const sum = (widths: readonly number[]): number =>
  widths.reduce((all, width) => all + width, 0) + columnGap.length * (widths.length - 1);

/** Leaves out columns that may go, the last first, until the others fit. */
const withoutLast = (columns: readonly Measured[], room: number): readonly Measured[] => {
  const last = columns.findLastIndex(({ mayGo }) => mayGo);
  if (last < 0 || sum(columns.map(({ least }) => least)) <= room) return columns;
  return withoutLast(columns.toSpliced(last, 1), room);
};

/** The widest gives way first, so that short texts stay whole. */
const fitted = (columns: readonly Measured[], room: number): number[] => {
  const widths = columns.map(({ width }) => width);
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    const slack = widths.map((width, at) => (width > (columns[at]?.least ?? 0) ? width : 0));
    const widest = slack.indexOf(Math.max(...slack));
    if ((slack[widest] ?? 0) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
};

/** Takes out the middle: the beginning of a text says what it is, and its end names the thing. */
export const shorten = (text: string, width: number): string => {
  if (text.length <= width) return text;
  const end = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
};

/** The width without the codes of colours. */
const widthOf = (text: string): number => stripVTControlCharacters(text).length;

/** A line that does not fit is broken between words; further lines are indented. */
export const wrap = (text: string, columns: number, indent = 0): string[] => {
  if (widthOf(text) <= columns) return [text];
  const lead = /^ */.exec(text)?.[0] ?? '';
  const [first = '', ...words] = text.slice(lead.length).split(' ');
  const lines: string[] = [];
  let line = `${lead}${first}`;
  for (const word of words) {
    const next = `${line} ${word}`;
    if (widthOf(next) > columns) {
      lines.push(line.trimEnd());
      line = `${' '.repeat(indent)}${word}`;
    } else line = next;
  }
  return [...lines, line];
};

/** Further lines are indented more than the first. A row of a table stays one line. */
export const wrapped = (line: string, columns: number): string[] =>
  /\S {2,}\S/.test(line) ? [line] : wrap(line, columns, line.length - line.trimStart().length + 2);
