/** Tells which rule of a policy refused a call. Every trial of a right comes down to this. */
import { ServiceError } from '../http/service-error';

/** Services name the rule in their refusal, and check several in one call. */
const ruleIn = (reason: string): string | undefined => /Policy doesn't allow (\S+) to be performed/.exec(reason)?.[1];

export interface TriedRight<T> {
  /** The rule that refused the call, if one did. */
  readonly refusing: readonly string[];
  /** The answer. Left out: there was none, for this or another reason. */
  readonly answer?: T;
}

/**
 * @param rule the rule that the call needs, where the service does not name the one that refused it
 * @throws NoAnswer, KeystoneAway, KeystoneRefusal; any error of the call that is no answer of the service
 */
export const tryRight = async <T>(rule: string, call: () => Promise<T>): Promise<TriedRight<T>> => {
  try {
    return { refusing: [], answer: await call() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { refusing: error.status === 403 ? [ruleIn(error.reason) ?? rule] : [] };
  }
};

/**
 * Tries a right, as `tryRight` does. @returns the refusing rule; nothing when the call was let through, whatever came
 * of it
 */
export const refused = async (rule: string, call: () => Promise<unknown>): Promise<readonly string[]> =>
  (await tryRight(rule, call)).refusing;
