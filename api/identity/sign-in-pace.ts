/**
 * Bounds how many attempts to sign in are let through in a minute. Anybody may try, and each attempt is a call to
 * Keystone and an entry of the audit, which nobody can delete for as long as it is kept.
 */

const windowMs = 60_000;
const mostInAll = 60;
/** So that one address leaves room for others; behind a proxy it may be that of many people. */
const mostOfOneAddress = 20;

export interface SignInPace {
  /** False: too many attempts were made within this minute. */
  readonly admits: (address: string) => boolean;
}

/** @param clock in milliseconds */
export const createSignInPace = (clock: () => number = () => performance.now()): SignInPace => {
  let startedMs = clock();
  let inAll = 0;
  const byAddress = new Map<string, number>();
  return {
    admits: (address) => {
      if (clock() - startedMs >= windowMs) {
        startedMs = clock();
        inAll = 0;
        byAddress.clear();
      }
      const ofAddress = byAddress.get(address) ?? 0;
      if (inAll >= mostInAll || ofAddress >= mostOfOneAddress) return false;
      inAll += 1;
      byAddress.set(address, ofAddress + 1);
      return true;
    },
  };
};
