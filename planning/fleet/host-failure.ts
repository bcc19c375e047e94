/** Why a session fails because of its hosts: the one place that says so, for records and for snapshots. */
import type { Host, HostWork } from './fleet';

/** A host of the session, as far as it is about its failing. */
export interface OwnedHost {
  readonly name: string;
  readonly work: Pick<HostWork, 'phase' | 'failure'>;
  /** The cloud still lists it. */
  readonly isListed: boolean;
}

/**
 * One host's failure fails the session at once; what is in flight elsewhere ends cleanly. undefined: none has failed.
 */
export function failureOfHosts(own: readonly OwnedHost[]): string | undefined {
  const failures = own.flatMap((host) => failureOf(host) ?? []);
  return failures.length === 0 ? undefined : failures.join('; ');
}

/** The reason, which begins with the host that it is about. */
export function failureNaming(hostname: string, reason: string): string {
  const who = `host ${hostname}`;
  return reason.startsWith(`${who} `) || reason.startsWith(`${who}:`) ? reason : `${who}: ${reason}`;
}

/** A host that failed while it was emptied is given back first, and says so at once. */
function failureOf({ name, work: { phase, failure }, isListed }: OwnedHost): string | undefined {
  if (failure !== undefined) return failureNaming(name, failure);
  if (phase === 'failed') return `host ${name}: failed`;
  if (phase === 'maintained' || isListed) return undefined;
  return `host ${name}: the cloud does not list it any more; bring it back, then resume`;
}

/** Hosts of a snapshot: the cloud lists all of them. */
export function asOwned(hosts: readonly Host[]): readonly OwnedHost[] {
  return hosts.flatMap(({ name, work }) => (work ? [{ name, work, isListed: true }] : []));
}
