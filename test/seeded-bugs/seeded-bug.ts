/** A bug that an engineer could make, and the tests that have to notice it. */
export interface SeededBug {
  /** The fault, in one line. */
  readonly bug: string;
  readonly file: string;
  /** Text that the file holds exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Test files of one Jest project, which their second folder names: `test/unit/…` or `test/integration/…`. */
  readonly tests: readonly string[];
}

/** Jest projects in which bugs are tried, the cheap one first. */
export const projects = ['unit', 'integration'] as const;
export type Project = (typeof projects)[number];

/** @throws Error where the tests are not all of one of the projects */
export const projectOf = ({ bug, tests }: SeededBug): Project => {
  const named = new Set(tests.map((test) => test.split('/')[1]));
  const project = projects.find((one) => named.has(one));
  if (project === undefined || named.size > 1) {
    throw new Error(`the tests of the bug "${bug}" must all be below test/unit, or all below test/integration`);
  }
  return project;
};
