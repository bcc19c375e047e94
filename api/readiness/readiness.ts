/**
 * Checks whether a session could run: tries each thing that a session needs, and names each failure with what would
 * help.
 */
import { answerWithin } from '../http/answer-within';
import type { Readiness } from '../routes/public-routes';

export interface ReadinessCheck {
  /** The thing, in the words that begin the line of a problem. */
  readonly name: string;
  readonly hint: string;
  /** Rejects when it does not work. */
  readonly attempt: () => Promise<unknown>;
}

/** The caller wants an answer soon: a thing that takes longer counts as not working. */
const limitMs = 3_000;

/** Only the kind of failure, because the text of a client's error may contain an address with a password. */
const findProblem = async ({ name, hint, attempt }: ReadinessCheck): Promise<string[]> => {
  try {
    await answerWithin(attempt(), limitMs);
    return [];
  } catch {
    return [`${name} does not answer: ${hint}`];
  }
};

/** The lines for what is missing. A failure says nothing here: it is the cloud's own check that fails then. */
export type FindMissing = () => Promise<readonly string[]>;

const linesOf = (find: FindMissing): Promise<readonly string[]> => answerWithin(find(), limitMs).catch(() => []);

export const createReadiness =
  (checks: readonly ReadinessCheck[], findMissing: FindMissing = () => Promise.resolve([])) =>
  async (): Promise<Readiness> => {
    const [missing, ...found] = await Promise.all([linesOf(findMissing), ...checks.map(findProblem)]);
    const problems = [...found.flat(), ...missing];
    return { ready: problems.length === 0, problems };
  };
