/**
 * Hosts on which the cloud refused an instance. Such a host is not tried again for that instance until something on it
 * has changed: an instance has left it, or it was maintained, enabled, or made larger.
 */
import type { Fleet, Host, Refusal } from '../fleet/fleet';

/** The facts about the host at its refusal, as far as a change of them may help. */
export interface HostThere {
  readonly enabled: boolean;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** The work on it; null: it was in no session. */
  readonly phase: string | null;
}

export interface NotedRefusal extends Refusal {
  readonly refusedAtMs: number;
  readonly hostThere: HostThere;
  /** IDs of the instances that were on it. */
  readonly instancesThere: readonly string[];
}

export const thereOn = ({ enabled, vcpus, memoryMb, work }: Host): HostThere => {
  return { enabled, vcpus, memoryMb, phase: work?.phase ?? null };
};

/** True when nothing on it has changed since. */
export const isSameThere = (
  { hostThere, instancesThere }: Pick<NotedRefusal, 'hostThere' | 'instancesThere'>,
  now: HostThere,
  isStillOn: (instanceId: string) => boolean,
): boolean => {
  const { enabled, vcpus, memoryMb, phase } = hostThere;
  const isSameHost = enabled === now.enabled && vcpus === now.vcpus && memoryMb === now.memoryMb && phase === now.phase;
  return isSameHost && instancesThere.every(isStillOn);
};

/** The refusals that still hold. */
export const refusalsThatHold = (
  noted: readonly NotedRefusal[],
  { hosts, instances }: Pick<Fleet, 'hosts' | 'instances'>,
  nowMs: number,
): readonly Refusal[] => {
  if (noted.length === 0) return [];
  const hostByName = new Map(hosts.map((host) => [host.name, host]));
  const hostOf = new Map(instances.map(({ id, host }) => [id, host]));
  return noted.flatMap((refusal) => {
    const { instanceId, target, reason, passesAtMs } = refusal;
    const host = hostByName.get(target);
    if (!host || (passesAtMs ?? Infinity) <= nowMs) return [];
    if (!isSameThere(refusal, thereOn(host), (id) => hostOf.get(id) === target)) return [];
    return [{ instanceId, target, reason, ...(passesAtMs !== undefined && { passesAtMs }) }];
  });
};

/** Milliseconds until the first of them passes by itself; undefined when none does. */
export const untilPassed = (refusals: readonly Refusal[], nowMs: number): number | undefined => {
  const passing = refusals.flatMap(({ passesAtMs }) => (passesAtMs === undefined ? [] : [passesAtMs - nowMs]));
  return passing.length === 0 ? undefined : Math.min(...passing);
};
