/**
 * What becomes of hosts whose drain or maintenance has failed: they are set aside and the session goes on, until more
 * have failed than its `max_failed_hosts`; then it fails. The one place that decides it, for records and for snapshots.
 */
import { type Host, type HostWork, phasesOver } from './fleet';

/** A host of the session, as far as it is about its failing. */
export interface OwnedHost {
  readonly name: string;
  readonly work: Pick<HostWork, 'phase' | 'failure'>;
  /** The cloud still lists it. */
  readonly isListed: boolean;
}

/** A host that the session goes on without, and why. */
export interface SetAside {
  readonly hostname: string;
  readonly failure: string;
}

/**
 * Why the session fails: more of its hosts have failed than may. What is in flight elsewhere ends cleanly then.
 * undefined: it goes on.
 */
export function failureOfHosts(own: readonly OwnedHost[], maxFailedHosts = 0): string | undefined {
  const failures = failuresOf(own).map(({ failure }) => failure);
  if (failures.length <= maxFailedHosts) return undefined;
  return `${failures.join('; ')}${limitWords(failures.length, maxFailedHosts)}`;
}

/** Hosts that have failed, and that nothing is done on any more; none where the session fails. */
export function hostsToSetAside(own: readonly OwnedHost[], maxFailedHosts = 0): readonly SetAside[] {
  if (failureOfHosts(own, maxFailedHosts) !== undefined) return [];
  const phaseOf = new Map(own.map(({ name, work }) => [name, work.phase]));
  return failuresOf(own).filter(({ hostname }) => mayBeSetAside(phaseOf.get(hostname)));
}

/**
 * What becomes of these hosts, none of which has failed yet, if all of them fail now: they are set aside as long as no
 * more have failed than may, else the session fails.
 */
export function ifTheseFail(
  own: readonly OwnedHost[],
  failing: readonly SetAside[],
  maxFailedHosts = 0,
): { readonly failure: string } | { readonly setAside: readonly SetAside[] } {
  const count = failuresOf(own).length + failing.length;
  if (count <= maxFailedHosts) return { setAside: failing };
  return { failure: `${failing.map(({ failure }) => failure).join('; ')}${limitWords(count, maxFailedHosts)}` };
}

/**
 * Whether a host that failed while it was drained stays disabled when its moves have ended: it is to be set aside, and
 * the session does not enable failed hosts. `own` has its failure already.
 */
export function staysDisabled(
  own: readonly OwnedHost[],
  { maxFailedHosts, enablesFailedHosts }: { readonly maxFailedHosts: number; readonly enablesFailedHosts: boolean },
): boolean {
  return maxFailedHosts > 0 && !enablesFailedHosts && failureOfHosts(own, maxFailedHosts) === undefined;
}

/** The reason, which begins with the host that it is about. */
export function failureNaming(hostname: string, reason: string): string {
  const who = `host ${hostname}`;
  return reason.startsWith(`${who} `) || reason.startsWith(`${who}:`) ? reason : `${who}: ${reason}`;
}

/** Hosts of a snapshot: the cloud lists all of them. */
export function asOwned(hosts: readonly Host[]): readonly OwnedHost[] {
  return hosts.flatMap(({ name, work }) => (work ? [{ name, work, isListed: true }] : []));
}

function failuresOf(own: readonly OwnedHost[]): readonly SetAside[] {
  return own.flatMap((host) => {
    const failure = failureOf(host);
    return failure === undefined ? [] : [{ hostname: host.name, failure }];
  });
}

/** A host that failed while it was drained is given back first, and says so at once. */
function failureOf({ name, work: { phase, failure }, isListed }: OwnedHost): string | undefined {
  if (failure !== undefined) return failureNaming(name, failure);
  if (phase === 'failed' || phase === 'set_aside') return `host ${name}: failed`;
  if (phasesOver.includes(phase) || isListed) return undefined;
  return `host ${name}: the cloud does not list it any more; bring it back, then resume`;
}

/** One under work ends that first; a drain is given up for it. */
function mayBeSetAside(phase: HostWork['phase'] | undefined): boolean {
  return phase === 'failed' || phase === 'waiting' || phase === 'emptying';
}

/** Without a limit of its own, the session fails as soon as one host does, and need not say so. */
function limitWords(count: number, maxFailedHosts: number): string {
  if (maxFailedHosts === 0) return '';
  return `; ${String(count)} hosts have failed, more than max_failed_hosts ${String(maxFailedHosts)} allows`;
}
