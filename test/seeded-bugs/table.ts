/** The table of what became of the bugs. */
import { seededBugs } from './bugs';
import type { SeededBug } from './seeded-bug';
import type { Verdict } from './verdict';

const short = (test: string): string => test.replace(/^test\//, '').replace(/\.test\.ts$/, '');
const testsOf = ({ tests }: SeededBug): string => tests.map(short).join(', ');

const gap = 2;
const widthOf = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length)) + gap;
const widths = [widthOf(seededBugs.map(({ bug }) => bug)), widthOf(seededBugs.map(testsOf)), 14] as const;

const line = (...cells: readonly string[]): string =>
  cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('');

export const heading = line('bug', 'tests', 'outcome', 'seconds');

const outcomeOf = ({ kind, noticed }: Verdict): string =>
  kind === 'caught' ? `caught by ${noticed}` : kind.toUpperCase();

export const row = (bug: SeededBug, verdict: Verdict): string =>
  line(bug.bug, testsOf(bug), outcomeOf(verdict), verdict.seconds.toFixed(1));
