/** The steps of a claim: what is granted to an instance, and how long its groups recover from what came of it. */
import type { Admission } from '../decisions/decision';
import type { Claim, Instance } from '../decisions/fleet/fleet';

/** The claim of an instance that a decision has granted. In the service each claim has an ID of its own. */
export const grantedTo = (
  { id: instanceId, amounts }: Pick<Instance, 'id' | 'amounts'>,
  sessionId: string,
  { kind, ...admission }: Admission,
): Claim & { readonly phase: 'asked' | 'moving' } => ({
  ...admission,
  id: instanceId,
  sessionId,
  amounts,
  phase: kind === 'ask' ? 'asked' : 'moving',
});

/**
 * done: the action succeeded. failed: it failed for good. gone: the instance vanished. expired: the project did not
 * carry out its own action in time. refused: the cloud refused the target, so another one is to be found. dropped:
 * never begun, or an own action that was given up with its session.
 */
export type ClaimOutcome = 'done' | 'failed' | 'gone' | 'expired' | 'refused' | 'dropped';

export interface EndOfClaim {
  readonly outcome: ClaimOutcome;
  /** The action was begun in vain: nothing was done to the instance. */
  readonly isUntouched?: true;
}

export interface ClaimToEnd {
  /** By the limits of its groups. */
  readonly recoveryTime: number;
  /** True when its project was asked about the instance alone. */
  readonly isAsked: boolean;
  readonly isBegun: boolean;
  /** True when its move was forced, after a gentler one had been tried. */
  readonly isForced: boolean;
}

/** The seconds for which its groups recover; 0: the instance was not touched. */
export const recoverySecondsAfter = (claim: ClaimToEnd, end: EndOfClaim): number =>
  isUntouched(claim, end) ? 0 : claim.recoveryTime;

/** Who was asked may have gone out of service to prepare, and recovers even without an action. */
const isUntouched = (
  { isAsked, isBegun, isForced }: ClaimToEnd,
  { outcome, isUntouched: isInVain }: EndOfClaim,
): boolean => {
  if (isAsked) return false;
  if (isInVain) return true;
  if (outcome === 'refused') return !isForced;
  return !isBegun && (outcome === 'dropped' || outcome === 'failed');
};
