/** The table of what became of the bugs. */
import type { SeededBug } from './seeded-bug';
import type { Verdict } from './verdict';

const widths = { bug: 72, tests: 42, outcome: 14 } as const;

const line = (cells: Readonly<Record<keyof typeof widths, string>>, seconds: string): string =>
  cells.bug.padEnd(widths.bug) + cells.tests.padEnd(widths.tests) + cells.outcome.padEnd(widths.outcome) + seconds;

export const heading = line({ bug: 'bug', tests: 'tests', outcome: 'outcome' }, 'seconds');

const short = (test: string): string => test.replace(/^test\//, '').replace(/\.test\.ts$/, '');

const outcomeOf = ({ kind, noticed }: Verdict): string =>
  kind === 'caught' ? `caught by ${noticed}` : kind.toUpperCase();

export const row = ({ bug, tests }: SeededBug, verdict: Verdict): string =>
  line({ bug, tests: tests.map(short).join(', '), outcome: outcomeOf(verdict) }, verdict.seconds.toFixed(1));
