/**
 * Decides how the record of a host is put right after PostgreSQL or Temporal was restored from a backup: it may lack
 * everything that was done since. The cloud is right about which hosts are disabled. Nobody knows how far the work on a
 * host came, so it counts as failed: it keeps the cloud's state until its session is continued, which repeats the work,
 * or is deleted.
 */
import type { HostPhase } from '../../rules/decisions/fleet/fleet';
import { isDone } from '../../rules/decisions/fleet/host-work';

export interface RestoredHost {
  readonly hostname: string;
  readonly phase: HostPhase;
  readonly disabled: boolean;
  readonly disabledBefore: boolean | null;
}

/** The cloud's present list entry of the host; undefined: there is none. */
export interface ListedHost {
  readonly enabled: boolean;
  /** True when it is disabled for the session that owns it. */
  readonly isOurs: boolean;
}

export interface RestoredHostChange {
  readonly phase?: 'failed';
  readonly failure?: string;
  readonly disabled: boolean;
  /** Left out when, by the cloud, the session has not disabled the host. */
  readonly disabledBefore?: false;
}

export const afterRestore = (host: RestoredHost, listed: ListedHost | undefined): RestoredHostChange => {
  const isOurs = listed?.isOurs === true && !isDone(host);
  // Nobody can tell who disabled a host that has no reason for it: its record stays.
  const disabled = isOurs || (host.disabled && listed?.enabled !== true);
  const failure = whyUnknown(host, isOurs);
  return {
    disabled,
    ...(isOurs && { disabledBefore: false }),
    ...(failure !== undefined && { phase: 'failed', failure }),
  };
};

const whyUnknown = ({ hostname, phase, disabled }: RestoredHost, isOurs: boolean): string | undefined => {
  if (phase === 'emptying' || phase === 'maintaining' || phase === 'releasing') {
    return `host ${hostname} was under work (${phase}) when the backup was made: see how far it came`;
  }
  // A host that is done was switched late, and is not ours: the sweeper enables it.
  if (!isOurs || disabled) return undefined;
  return `host ${hostname} was disabled after the backup was made: see how far its maintenance came`;
};
