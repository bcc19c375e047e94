/** The verdict on a bug: compares the tests that passed without it with the same tests beside it. */
import path from 'node:path';
import type { FileResult, TestResults } from './test-results';

/**
 * - caught: a test that passes without the bug fails with it.
 * - missed: all of them pass.
 * - broken: a test file did not run, with the bug or without it, or a test fails without it: nothing is known.
 */
export interface Verdict {
  readonly kind: 'caught' | 'missed' | 'broken';
  /** Tests that have noticed it. */
  readonly noticed: number;
  readonly seconds: number;
  /** The reason why there is no verdict. */
  readonly because?: string;
}

interface Comparison {
  readonly results: TestResults;
  readonly unchangedTree: string;
  readonly tree: string;
  readonly tests: readonly string[];
}

export const verdictOn = ({ results, unchangedTree, tree, tests }: Comparison): Verdict => {
  const resultOf = (below: string, test: string) =>
    results.testResults.find(({ name }) => name === path.join(below, test));
  const pairs = tests.map((test) => ({ test, right: resultOf(unchangedTree, test), wrong: resultOf(tree, test) }));
  const seconds = pairs.reduce((sum, { wrong }) => sum + secondsOf(wrong), 0);
  const faults = pairs.flatMap(({ test, right, wrong }) => [
    ...faultWithout(test, right),
    ...(hasRun(wrong) ? [] : [`${test} does not run with the bug:\n${wrong?.message ?? 'it was not tried'}`]),
  ]);
  if (faults.length > 0) return { kind: 'broken', noticed: 0, seconds, because: faults.join('\n') };
  const noticed = pairs.flatMap(({ wrong }) => failedIn(wrong)).length;
  return { kind: noticed > 0 ? 'caught' : 'missed', noticed, seconds };
};

const failedIn = (file: FileResult | undefined) =>
  file?.assertionResults.filter(({ status }) => status === 'failed') ?? [];

const hasRun = (file: FileResult | undefined): boolean => file !== undefined && file.assertionResults.length > 0;

const faultWithout = (test: string, right: FileResult | undefined): string[] => {
  if (!hasRun(right)) return [`${test} does not run without the bug:\n${right?.message ?? 'it was not tried'}`];
  return failedIn(right).length > 0 ? [`${test} fails without the bug:\n${right?.message ?? ''}`] : [];
};

const secondsOf = (file: FileResult | undefined): number =>
  file === undefined ? 0 : Math.max(0, file.endTime - file.startTime) / 1_000;
