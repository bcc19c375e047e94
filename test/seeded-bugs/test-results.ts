/** Jest's report of a run (`--json`), with the fields that matter here. */

export interface TestResult {
  readonly fullName: string;
  readonly status: string;
}

export interface FileResult {
  /** Absolute. */
  readonly name: string;
  /** Milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
  /** The failures, for people. */
  readonly message: string;
  readonly assertionResults: readonly TestResult[];
}

export interface TestResults {
  readonly testResults: readonly FileResult[];
}

export const parseTestResults = (text: string): TestResults => JSON.parse(text) as TestResults;
