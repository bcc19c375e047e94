/**
 * Decides about hosts whose drain or maintenance has failed: they are set aside and the session continues, until more
 * have failed than its `max_failed_hosts`; then the session fails. This is the only place that decides it, for
 * records, for snapshots and for virtual time; activities write it down.
 */
import { failureNaming, notListed } from '../../words/failure-of-host';
import type { Host, HostWork } from './fleet';
import { isDone } from './host-work';

/** A host of the session, with the facts that matter for its failure. */
export interface OwnedHost {
  readonly name: string;
  readonly work: Pick<HostWork, 'phase' | 'failure'>;
  /** True while the cloud lists it. */
  readonly isListed: boolean;
}

/** A host that the session sets aside, with the reason. */
export interface SetAside {
  readonly hostname: string;
  readonly failure: string;
}

/**
 * The reason why the session fails: more hosts have failed than allowed. Everything in flight then ends cleanly.
 * undefined: the session continues.
 */
export const failureOfHosts = (own: readonly OwnedHost[], maxFailedHosts = 0): string | undefined => {
  const failures = failuresOf(own).map(({ failure }) => failure);
  if (failures.length <= maxFailedHosts) return undefined;
  return `${failures.join('; ')}${limitWords(failures.length, maxFailedHosts)}`;
};

/** The failed hosts to set aside now; empty when the session fails instead. */
export const hostsToSetAside = (own: readonly OwnedHost[], maxFailedHosts = 0): readonly SetAside[] => {
  if (failureOfHosts(own, maxFailedHosts) !== undefined) return [];
  return failuresOf(own.filter(mayBeSetAside));
};

/**
 * The outcome for these hosts, none of which has failed yet, if all of them fail now: they are set aside when no more
 * have failed than allowed, or else the session fails.
 */
export const ifTheseFail = (
  own: readonly OwnedHost[],
  failing: readonly SetAside[],
  maxFailedHosts = 0,
): { readonly failure: string } | { readonly setAside: readonly SetAside[] } => {
  const count = failuresOf(own).length + failing.length;
  if (count <= maxFailedHosts) return { setAside: failing };
  return { failure: `${failing.map(({ failure }) => failure).join('; ')}${limitWords(count, maxFailedHosts)}` };
};

/**
 * True when a host that failed while it was drained stays disabled after its moves have ended: it is to be set aside,
 * and the session does not enable failed hosts. `own` has its failure already.
 */
export const staysDisabled = (
  own: readonly OwnedHost[],
  { maxFailedHosts, enablesFailedHosts }: { readonly maxFailedHosts: number; readonly enablesFailedHosts: boolean },
): boolean => {
  return maxFailedHosts > 0 && !enablesFailedHosts && failureOfHosts(own, maxFailedHosts) === undefined;
};

/** The hosts of a snapshot: the cloud lists all of them. */
export const asOwned = (hosts: readonly Host[]): readonly OwnedHost[] => {
  return hosts.flatMap(({ name, work }) => (work ? [{ name, work, isListed: true }] : []));
};

const failuresOf = (own: readonly OwnedHost[]): readonly SetAside[] => {
  return own.flatMap((host) => {
    const failure = failureOf(host);
    return failure === undefined ? [] : [{ hostname: host.name, failure }];
  });
};

/** A host that failed while it was drained is given back first, and reports its failure at once. */
const failureOf = ({ name, work: { phase, failure }, isListed }: OwnedHost): string | undefined => {
  if (failure !== undefined) return failureNaming(name, failure);
  if (phase === 'failed' || phase === 'set_aside') return failureNaming(name, 'failed');
  if (isDone({ phase }) || isListed) return undefined;
  return failureNaming(name, `${notListed}; bring it back, then continue the session`);
};

/** A host under work ends its work first; its drain is given up. */
const mayBeSetAside = ({ work: { phase } }: OwnedHost): boolean =>
  phase === 'failed' || phase === 'waiting' || phase === 'emptying';

/** Words for a limit that was set. A session without one fails with the first failed host, and need not say so. */
const limitWords = (count: number, maxFailedHosts: number): string => {
  if (maxFailedHosts === 0) return '';
  return `; ${String(count)} hosts have failed, more than max_failed_hosts ${String(maxFailedHosts)} allows`;
};
