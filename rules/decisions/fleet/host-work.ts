/** The meaning of a host's type and phase for decisions: whether it is under work, and what may be done with it. */
import { type Fleet, type Host, type HostPhase, type HostWork, phasesDone } from './fleet';

export const isInPhase =
  (...phases: readonly HostPhase[]): ((host: Host) => boolean) =>
  ({ work }) =>
    work !== undefined && phases.includes(work.phase);

export const isUnderWork = ({ work }: Host): boolean =>
  work?.phase === 'emptying' || work?.phase === 'maintaining' || work?.phase === 'releasing';

/** May take instances: a compute that is enabled and not under work. */
export const isTarget = (host: Host): boolean =>
  host.isCompute && host.enabled && !isUnderWork(host) && !hasFailed(host.work);

/** True when nobody knows the state of the host. */
export const hasFailed = (work: HostWork | undefined): boolean =>
  work?.phase === 'failed' || work?.phase === 'set_aside';

/** True when its session has no more work on the host; for hosts of a snapshot (`host.work`) and for records. */
export const isDone = (work: Pick<HostWork, 'phase'> | undefined): boolean =>
  work !== undefined && phasesDone.some((phase) => phase === work.phase);

/** Is a target once its work is done: a host that someone else had disabled stays disabled. */
export const becomesTarget = ({ isCompute, enabled, work }: Host): boolean => {
  const disabledByOther = work?.disabledBefore === true || (!enabled && work?.disabled !== true);
  return isCompute && !disabledByOther;
};

/** A target of a lower rank is better. Instances on a host of `toBeDrained` will have to move again. */
export const targetRanks = { maintained: 0, notInSession: 1, toBeDrained: 2 } as const;
export type TargetRank = (typeof targetRanks)[keyof typeof targetRanks];

export const rankOf = ({ work }: Host): TargetRank => {
  if (!work || work.phase === 'skipped') return targetRanks.notInSession;
  return work.phase === 'maintained' ? targetRanks.maintained : targetRanks.toBeDrained;
};

/** 0: its maintenance has not begun. */
export const secondsInMaintenance = ({ work }: Host, nowMs: number): number =>
  work?.phase === 'maintaining' && work.announcedAtMs !== undefined ? (nowMs - work.announcedAtMs) / 1000 : 0;

/** Was enabled lately and is not up yet: it is expected to take instances soon. */
export const isStarting = (host: Host): boolean =>
  host.startingUntilMs !== undefined && host.isCompute && !isUnderWork(host) && !hasFailed(host.work);

/** Orders hosts as an admin asked for it: the latest request comes first, then all hosts that nobody asked for. */
export const byRequest = (one: Host, other: Host): number => (other.work?.firstAtMs ?? 0) - (one.work?.firstAtMs ?? 0);

/**
 * A controller beside this host that is out of service by the work of any session: controllers keep a quorum of the
 * whole cloud, so they are maintained one at a time, and none while another one failed and stays disabled.
 */
export const controllerOut = ({ hosts }: Pick<Fleet, 'hosts'>, beside: Host): Host | undefined => {
  if (beside.type !== 'controller') return undefined;
  const others = hosts.filter((host) => host.type === 'controller' && host.name !== beside.name);
  return others.find(isUnderWork) ?? others.find(isLeftDisabled);
};

/** The controller that keeps this one from ever being maintained unless somebody repairs it: nobody works on it. */
export const failedControllerBeside = (fleet: Pick<Fleet, 'hosts'>, beside: Host): Host | undefined => {
  const out = controllerOut(fleet, beside);
  return out && isLeftDisabled(out) ? out : undefined;
};

/** Failed in maintenance and left disabled, since nobody knows its state; also after its session was continued. */
const isLeftDisabled = ({ work }: Host): boolean =>
  work?.disabled === true && (hasFailed(work) || (work.phase === 'waiting' && !work.disabledBefore));
