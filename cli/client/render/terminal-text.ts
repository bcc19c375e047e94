/** Text for terminals. */
import { withShortIds } from '../../../rules/words/names';

export const bar = (percent: number, width: number): string => {
  const full = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]`;
};

/** Control characters of names and reasons never reach the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');

/** A sentence of the API. */
export const sentence = (text: string): string => printable(withShortIds(text));

const usualColumns = 80;

/** A pipe has no width: nothing gives way in it. */
export const columnsOf = ({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number =>
  isTTY ? columns || usualColumns : Infinity;
