/**
 * Hosts on which the cloud refused an instance: what nobody can foresee is learned. Such a host is not tried again, for
 * that instance or another of its class, until something on it has changed: an instance has left it, or it was
 * maintained, enabled, made larger, or offers something else.
 */
import { amountsText, type Sized } from '../../cloud/amounts';
import type { Fleet, Host, Instance, Refusal } from '../fleet/fleet';

/** The facts about the host at its refusal, as far as a change of them may help. */
export interface HostThere extends Sized {
  readonly enabled: boolean;
  /** Class of what it offers. */
  readonly offers: string;
  /** The work on it; null: it was in no session. */
  readonly phase: string | null;
}

export interface NotedRefusal extends Refusal {
  readonly refusedAtMs: number;
  readonly hostThere: HostThere;
  /** IDs of the instances that were on it. */
  readonly instancesThere: readonly string[];
}

export const thereOn = ({ enabled, amounts, offers = '', work }: Host): HostThere => {
  return { enabled, amounts, offers, phase: work?.phase ?? null };
};

/** The class of instances that a refusal of one holds for: they take as much, and need the same. */
export const refusalClassOf = ({ amounts, needs = '' }: Pick<Instance, 'amounts' | 'needs'>): string =>
  `${amountsText(amounts)} ${needs}`;

/** True when nothing on it has changed since. */
export const isSameThere = (
  { hostThere, instancesThere }: Pick<NotedRefusal, 'hostThere' | 'instancesThere'>,
  now: HostThere,
  isStillOn: (instanceId: string) => boolean,
): boolean => {
  const factsOf = ({ enabled, amounts, offers, phase }: HostThere): string =>
    JSON.stringify([enabled, amountsText(amounts), offers, phase]);
  return factsOf(hostThere) === factsOf(now) && instancesThere.every(isStillOn);
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
    const { refusalClass, target, reason, passesAtMs } = refusal;
    const host = hostByName.get(target);
    if (!host || (passesAtMs ?? Infinity) <= nowMs) return [];
    if (!isSameThere(refusal, thereOn(host), (id) => hostOf.get(id) === target)) return [];
    return [{ refusalClass, target, reason, ...(passesAtMs !== undefined && { passesAtMs }) }];
  });
};

/** Milliseconds until the first of them passes by itself; undefined when none does. */
export const untilPassed = (refusals: readonly Refusal[], nowMs: number): number | undefined => {
  const passing = refusals.flatMap(({ passesAtMs }) => (passesAtMs === undefined ? [] : [passesAtMs - nowMs]));
  return passing.length === 0 ? undefined : Math.min(...passing);
};
