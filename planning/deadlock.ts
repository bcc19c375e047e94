/**
 * What to do when nothing can go on (design §5): a host that cannot be emptied is given back and tried later, a bounded
 * number of times; then the session fails and says what is lacking.
 */
import type { HostAdmission } from './admission';
import { isOpen } from './budget';
import { lackOfRest } from './emptying';
import type { Host } from './fleet';
import { compareText, instancesOn } from './fleet-index';
import { isInPhase } from './host-work';
import type { Lack } from './placement';
import { cannotBeEmptied } from './reasons';
import type { Situation } from './situation';

/** A host under work whose rest has no place. */
export interface StuckHost {
  readonly host: Host;
  readonly lack: Lack;
}

export type WayOut =
  | { readonly kind: 'none' }
  | { readonly kind: 'release'; readonly hostname: string }
  | { readonly kind: 'fail'; readonly failure: string };

export function stuckHosts(admissions: readonly HostAdmission[]): readonly StuckHost[] {
  return admissions.flatMap(({ host, lack }) => (lack ? [{ host, lack }] : []));
}

/** The way out of a deadlock: the least emptied of the session's stuck hosts, where nothing else can change anything. */
export function wayOut(situation: Situation, stuck: readonly StuckHost[]): WayOut {
  const [first] = stuck.toSorted((one, other) => byLeastEmptied(situation, one.host, other.host));
  const stuckNames = new Set(stuck.map(({ host }) => host.name));
  if (!first || mayStillChange(situation, stuckNames)) return { kind: 'none' };
  const { host, lack } = first;
  if ((host.work?.releases ?? 0) < situation.limits.releases) return { kind: 'release', hostname: host.name };
  return { kind: 'fail', failure: cannotBeEmptied(situation.index, host.name, lack) };
}

/**
 * Whether room may still come without anybody doing more: something is in flight or recovering, or a host under work,
 * of any session, goes on and becomes a target.
 */
export function mayStillChange(situation: Situation, stuckNames: ReadonlySet<string> = new Set()): boolean {
  const { index, nowMs } = situation;
  if (index.fleet.claims.some((claim) => isOpen(claim, nowMs))) return true;
  if (index.hosts.some((host) => isInPhase('maintaining')(host) || isInPhase('releasing')(host))) return true;
  const goingOn = index.hosts.filter((host) => isInPhase('emptying')(host) && !stuckNames.has(host.name));
  return goingOn.some((host) => lackOfRest(situation, host) === undefined);
}

function byLeastEmptied({ index }: Situation, one: Host, other: Host): number {
  const difference = instancesOn(index, other.name).length - instancesOn(index, one.name).length;
  return difference || compareText(one.name, other.name);
}
