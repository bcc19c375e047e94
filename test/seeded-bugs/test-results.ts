/** What Jest writes about a run (`--json`), as far as it matters here. */

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
  /** What failed, for people. */
  readonly message: string;
  readonly assertionResults: readonly TestResult[];
}

export interface TestResults {
  readonly testResults: readonly FileResult[];
}

export const parseTestResults = (text: string): TestResults => JSON.parse(text) as TestResults;
