/** Credentials that stay as they are, and those that are read anew before they end. */
import { sharedRun } from '../../../../calls/joined';
import type { ClusterCredentials, Credential } from './cluster-access';

export const fixedCredentials = (credential: Credential): ClusterCredentials => ({
  current: () => Promise.resolve(credential),
  forget: () => undefined,
});

export interface LastingCredential {
  readonly credential: Credential;
  /** Left out: it is good until it is refused. */
  readonly endsAtMs?: number;
}

/** Renew a credential this long before its end: a request is under way for some seconds. */
const marginMs = 30_000;

/**
 * Reads a credential when it is first needed, and again shortly before its end or after `forget`. Callers share one
 * reading.
 */
export const renewedCredentials = (
  read: () => Promise<LastingCredential>,
  nowMs: () => number = Date.now,
): ClusterCredentials => {
  let known: LastingCredential | undefined;
  const readOnce = sharedRun(async () => (known = await read()));

  const isGood = ({ endsAtMs }: LastingCredential): boolean => endsAtMs === undefined || nowMs() < endsAtMs - marginMs;

  return {
    async current() {
      return (known !== undefined && isGood(known) ? known : await readOnce()).credential;
    },
    forget() {
      known = undefined;
    },
  };
};
