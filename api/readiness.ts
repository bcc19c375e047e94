/** Whether a session could be run: each thing that one needs is tried, and what fails is named with what would help. */
import type { Readiness } from './routes/public-routes';
import { withinLimit } from './within-limit';

export interface ReadinessCheck {
  /** What is tried, as it begins the line of a problem. */
  readonly name: string;
  readonly hint: string;
  /** Rejects where it does not work. */
  readonly attempt: () => Promise<unknown>;
}

/** Who asks wants an answer soon; what takes longer does not work. */
const limitMs = 3_000;

/** Only the kind of failure: the text of a client's error may hold an address with a password. */
const findProblem = async ({ name, hint, attempt }: ReadinessCheck): Promise<string[]> => {
  try {
    await withinLimit(attempt(), limitMs);
    return [];
  } catch {
    return [`${name} does not answer: ${hint}`];
  }
};

export const createReadiness = (checks: readonly ReadinessCheck[]) => async (): Promise<Readiness> => {
  const problems = (await Promise.all(checks.map(findProblem))).flat();
  return { ready: problems.length === 0, problems };
};
