/**
 * Calls that disable or enable a host may hang and go through late, when their caller is gone and something else was
 * decided since; and somebody may enable a host under work by hand. What each host should be is on record: one that is
 * enabled while nothing may come to it is disabled again, and one that our own disable reached late is enabled.
 */
import type { HostPhase } from '../fleet/fleet';

export interface SwitchedHost {
  readonly name: string;
  /** Others cannot be disabled. */
  readonly isCompute: boolean;
  readonly enabled: boolean;
  /** The session of this service that it is disabled for; undefined: somebody else has disabled it, or nobody. */
  readonly disabledBy?: string;
}

/** Of an unfinished session's host, or one that a session has set aside and left disabled, over by now or not. */
export interface HostOnRecord {
  readonly sessionId: string;
  readonly hostname: string;
  readonly phase: HostPhase;
  readonly disabled: boolean;
  /** The call that enables it may be under way. */
  readonly isBeingEnabled: boolean;
}

export type HostSwitch =
  | { readonly kind: 'enable'; readonly hostname: string }
  | { readonly kind: 'disable'; readonly hostname: string; readonly sessionId: string };

/** What puts the host right; undefined where it is right, or not by our doing as it is. */
export function switchBack(host: SwitchedHost, records: readonly HostOnRecord[]): HostSwitch | undefined {
  if (!host.isCompute) return undefined;
  const { name: hostname } = host;
  if (!host.enabled) return isDisabledLate(host, records) ? { kind: 'enable', hostname } : undefined;
  const keeper = records.find((record) => record.hostname === hostname && isKeptDisabled(record));
  return keeper && { kind: 'disable', hostname, sessionId: keeper.sessionId };
}

/** Whether it carries the reason of one of our sessions, and none of these has it disabled. */
export function isDisabledLate({ name, enabled, disabledBy }: SwitchedHost, records: readonly HostOnRecord[]): boolean {
  if (enabled || disabledBy === undefined) return false;
  return !records.some((record) => record.hostname === name && mayHaveDisabled(record, disabledBy));
}

/** Nothing may come to a host under work, whoever has enabled it. */
function isKeptDisabled({ phase, disabled, isBeingEnabled }: HostOnRecord): boolean {
  const isOut = phase === 'emptying' || phase === 'maintaining';
  return isOut && disabled && !isBeingEnabled;
}

/** Under work, or left disabled after a failure. What was set aside may be another session's by now. */
function mayHaveDisabled({ sessionId, phase, disabled }: HostOnRecord, disabledBy: string): boolean {
  if (phase === 'set_aside') return disabled && sessionId === disabledBy;
  return disabled || phase === 'emptying' || phase === 'maintaining' || phase === 'releasing';
}
