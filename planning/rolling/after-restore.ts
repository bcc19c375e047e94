/**
 * After PostgreSQL or Temporal was restored from a backup, the record of a host and the cloud may differ by whatever
 * was done since. The cloud is right about what is disabled. How far the work on a host had come nobody knows, so it
 * counts as failed: it stays as the cloud has it until its session is resumed, which does it again, or deleted.
 */
import type { HostPhase } from '../fleet/fleet';

export interface RestoredHost {
  readonly hostname: string;
  readonly phase: HostPhase;
  readonly disabled: boolean;
  readonly disabledBefore: boolean | null;
}

/** As the cloud lists the host now; undefined: it does not. */
export interface ListedHost {
  readonly enabled: boolean;
  /** It is disabled for the session that owns it. */
  readonly isOurs: boolean;
}

export interface RestoredHostChange {
  readonly phase?: 'failed';
  readonly failure?: string;
  readonly disabled: boolean;
  /** Left out where the session has not disabled the host, as far as the cloud knows. */
  readonly disabledBefore?: false;
}

export function afterRestore(host: RestoredHost, listed: ListedHost | undefined): RestoredHostChange {
  const isOurs = listed?.isOurs === true && host.phase !== 'maintained';
  // Nobody can tell who disabled a host without its reason: what is on record about that stays.
  const disabled = isOurs || (host.disabled && listed?.enabled !== true);
  const failure = whyUnknown(host, isOurs);
  return {
    disabled,
    ...(isOurs && { disabledBefore: false }),
    ...(failure !== undefined && { phase: 'failed', failure }),
  };
}

function whyUnknown({ hostname, phase, disabled }: RestoredHost, isOurs: boolean): string | undefined {
  if (phase === 'emptying' || phase === 'maintaining' || phase === 'releasing') {
    return `host ${hostname} was under work (${phase}) when the backup was made: see how far it came`;
  }
  // One that is maintained was switched late, and the sweeper enables it.
  if (!isOurs || disabled || phase === 'maintained') return undefined;
  return `host ${hostname} was disabled after the backup was made: see how far its maintenance came`;
}
