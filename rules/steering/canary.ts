/**
 * The canary of a session: some hosts that are maintained first and alone, before the session goes on with all others,
 * at once, after a time, or when it is resumed. If the canary is a number, `chooseCanary` asks the model of the fleet
 * which hosts to take. work-now.ts holds the other hosts back (hold-back.ts).
 */
import { cheapestToDrain } from '../decisions/both-workflows/cheapest-to-drain';
import type { Fleet, HostPhase } from '../decisions/fleet/fleet';
import { byRequest, isDone } from '../decisions/fleet/host-work';
import { FleetModel } from '../decisions/model/fleet-model';
import { byDrainCost } from '../decisions/model/host-content';
import type { Reason } from '../reasons/reason';

export interface Canary {
  /** The number of hosts, or their names. */
  readonly hosts: number | readonly string[];
  /** The session goes on by itself, or waits for its resume. */
  readonly then: 'continue' | 'resume';
  /** The time that the session waits before it continues by itself. */
  readonly waitSeconds: number;
}

export interface CanaryHost {
  readonly name: string;
  readonly phase: HostPhase;
}

/**
 * - none: the session has no canary, or has gone on from it.
 * - first: only its hosts are worked on; the others are held back.
 * - ended: all of them are done now, which is to be recorded. `pauseBecause`: the session waits for its resume.
 * - waiting: they are done; the session goes on at that time.
 */
export type CanaryStage =
  | { readonly kind: 'none' }
  | { readonly kind: 'first'; readonly names: readonly string[]; readonly held: readonly string[] }
  | { readonly kind: 'ended'; readonly pauseBecause?: string }
  | { readonly kind: 'waiting'; readonly untilMs: number };

export interface CanaryView {
  readonly canary: Canary | null;
  /** The time when its hosts were done; undefined: they are not done. Milliseconds. */
  readonly endedAtMs?: number;
  readonly nowMs: number;
  /** The session's hosts. */
  readonly own: readonly CanaryHost[];
  /** Chooses this number of the hosts that wait. */
  readonly choose: (count: number) => readonly string[];
}

export const canaryStage = ({ canary, endedAtMs, nowMs, own, choose }: CanaryView): CanaryStage => {
  if (canary === null) return { kind: 'none' };
  if (endedAtMs !== undefined) return stageAfter(canary, endedAtMs, nowMs);
  const names = namesOf(canary, own, choose);
  const chosen = own.filter(({ name }) => names.has(name));
  const held = own.filter(({ name, phase }) => phase === 'waiting' && !names.has(name)).map(({ name }) => name);
  if (chosen.some((host) => !isDone(host))) return { kind: 'first', names: [...names], held };
  return held.length === 0 ? { kind: 'none' } : { kind: 'ended', ...pauseAfter(canary, chosen) };
};

/** A session that was to wait for its resume is paused until then. */
const stageAfter = ({ then, waitSeconds }: Canary, endedAtMs: number, nowMs: number): CanaryStage => {
  const untilMs = endedAtMs + waitSeconds * 1000;
  return then === 'continue' && nowMs < untilMs ? { kind: 'waiting', untilMs } : { kind: 'none' };
};

/** If the canary is a number, the hosts that have begun count first. */
const namesOf = ({ hosts }: Canary, own: readonly CanaryHost[], choose: CanaryView['choose']): ReadonlySet<string> => {
  if (typeof hosts !== 'number') return new Set(hosts);
  const begun = own.filter(({ phase }) => phase !== 'waiting' && phase !== 'skipped').map(({ name }) => name);
  return new Set([...begun, ...(begun.length < hosts ? choose(hosts - begun.length) : [])]);
};

/** A canary host that has failed is what a canary is for: somebody has to look, whatever `then` says. */
const pauseAfter = ({ then }: Canary, chosen: readonly CanaryHost[]): { readonly pauseBecause?: string } => {
  const failed = chosen.filter(({ phase }) => phase === 'set_aside').map(({ name }) => name);
  if (failed.length > 0) return { pauseBecause: `the canary has failed on ${failed.join(', ')}; resume to go on` };
  if (then === 'continue') return {};
  return { pauseBecause: `the canary is done (${chosen.map(({ name }) => name).join(', ')}); resume to go on` };
};

/** A host of the session, with the time when its drain began last; undefined: never. */
export interface DrainedHost {
  readonly name: string;
  readonly drainStartedAtMs?: number;
}

/** True when a retried host is a canary once more: it was one, and no other host has begun since. */
export const isCanaryAgain = (
  name: string,
  { canary, endedAtMs, own }: Pick<CanaryView, 'canary' | 'endedAtMs'> & { readonly own: readonly DrainedHost[] },
): boolean => {
  if (canary === null || endedAtMs === undefined) return false;
  const isBegunSince = own.some(({ drainStartedAtMs = endedAtMs }) => drainStartedAtMs > endedAtMs);
  const { hosts } = canary;
  const isOne =
    typeof hosts === 'number'
      ? own.some((host) => host.name === name && host.drainStartedAtMs !== undefined)
      : hosts.includes(name);
  return isOne && !isBegunSince;
};

/** Hosts that wait: those that an admin asked for, else the cheapest to drain, and at least one that can be drained. */
export const chooseCanary =
  (fleet: Fleet, { sessionId, nowMs }: { readonly sessionId: string; readonly nowMs: number }) =>
  (count: number): readonly string[] => {
    const model = new FleetModel(fleet, nowMs);
    const waiting = byDrainCost(model, model.hostsOf(sessionId, 'waiting')).toSorted(byRequest);
    const best = cheapestToDrain(model, waiting);
    const inOrder = best ? [best, ...waiting.filter((host) => host !== best)] : waiting;
    return inOrder.slice(0, count).map(({ name }) => name);
  };

/** The reason of a host that waits until the session is done with its canary hosts. */
export const canaryFirstReason = (who: string, [first = who]: readonly string[]): Reason => ({
  waitingFor: 'host',
  who,
  subject: first,
  because: 'the canary comes first',
});
