/**
 * Checks whether a session could run: tries each thing that a session needs, and names each failure with what would
 * help.
 */
import type { Logger } from 'pino';
import { answerWithin } from '../../calls/time-limit';
import type { Readiness } from '../routes/public-routes';

export interface ReadinessCheck {
  /** The thing, in the words that begin the line of a problem. */
  readonly name: string;
  readonly hint: string;
  /** Rejects when it does not work. */
  readonly attempt: () => Promise<unknown>;
  /** Says what is wrong and what would help; the words follow the name. Undefined: the need does not answer. */
  readonly troubleOf?: (error: unknown) => string | undefined;
}

/** The caller wants an answer soon: a thing that takes longer counts as not working. */
const limitMs = 3_000;

/** Only known words for the failure, because the text of a client's error may contain an address with a password. */
const findProblem = async ({ name, hint, attempt, troubleOf }: ReadinessCheck): Promise<string[]> => {
  try {
    await answerWithin(attempt(), limitMs);
    return [];
  } catch (error) {
    return [`${name} ${troubleOf?.(error) ?? `does not answer: ${hint}`}`];
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

/** Says in the log when something is missing, or other things than before, and when nothing is any more. */
export const loggedReadiness = (ask: () => Promise<Readiness>, logger: Pick<Logger, 'info' | 'warn'>) => {
  let last = '';
  return async (): Promise<Readiness> => {
    const { ready, problems } = await ask();
    const now = problems.join('\n');
    if (now !== last) {
      if (ready) logger.info('ready again');
      else logger.warn({ problems }, 'not ready');
    }
    last = now;
    return { ready, problems };
  };
};
