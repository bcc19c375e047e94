/**
 * Calls that disable or enable a host may hang and succeed late, when their caller is gone and something else was
 * decided; and somebody may enable a host under work by hand. The wanted state of each host is recorded. A host that is
 * enabled although no instance may come to it is disabled again, and a host that our own late call disabled is enabled.
 */
import type { HostPhase } from '../../rules/decisions/fleet/fleet';

export interface SwitchedHost {
  readonly name: string;
  /** Other hosts cannot be disabled. */
  readonly isCompute: boolean;
  readonly enabled: boolean;
  /** The session of this service for which it is disabled; undefined: somebody else has disabled it, or nobody. */
  readonly disabledBy?: string;
}

/**
 * The record of an unfinished session's host, or of one that a session, over or not, has set aside and left disabled.
 */
export interface HostOnRecord {
  readonly sessionId: string;
  readonly hostname: string;
  readonly phase: HostPhase;
  readonly disabled: boolean;
  /** True when the call that enables it may be in progress. */
  readonly isBeingEnabled: boolean;
}

export type HostSwitch =
  | { readonly kind: 'enable'; readonly hostname: string }
  | { readonly kind: 'disable'; readonly hostname: string; readonly sessionId: string };

/** The switch that corrects the host; undefined when its state is right, or is somebody else's doing. */
export const switchBack = (host: SwitchedHost, records: readonly HostOnRecord[]): HostSwitch | undefined => {
  if (!host.isCompute) return undefined;
  const { name: hostname } = host;
  if (!host.enabled) return isDisabledLate(host, records) ? { kind: 'enable', hostname } : undefined;
  const keeper = records.find((record) => record.hostname === hostname && isKeptDisabled(record));
  return keeper && { kind: 'disable', hostname, sessionId: keeper.sessionId };
};

/** True when it carries the reason of one of our sessions, and none of these has it disabled. */
export const isDisabledLate = (
  { name, enabled, disabledBy }: SwitchedHost,
  records: readonly HostOnRecord[],
): boolean => {
  if (enabled || disabledBy === undefined) return false;
  return !records.some((record) => record.hostname === name && mayHaveDisabled(record, disabledBy));
};

/** No instance may come to a host under work, whoever has enabled it. */
const isKeptDisabled = ({ phase, disabled, isBeingEnabled }: HostOnRecord): boolean => {
  const isOut = phase === 'emptying' || phase === 'maintaining';
  return isOut && disabled && !isBeingEnabled;
};

/** A host under work, or left disabled after a failure. One that was set aside may belong to another session by now. */
const mayHaveDisabled = ({ sessionId, phase, disabled }: HostOnRecord, disabledBy: string): boolean => {
  if (phase === 'set_aside') return disabled && sessionId === disabledBy;
  return disabled || phase === 'emptying' || phase === 'maintaining' || phase === 'releasing';
};
