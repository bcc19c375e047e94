/** The times that bound a plan from outside: when its session may begin anything, and when its canary is over. */
import { isDone } from '../../decisions/fleet/host-work';
import type { Interval } from '../../maintenance-windows/intervals';
import { openingsBetween } from '../../maintenance-windows/openings';
import type { Canary } from '../../steering/canary';
import type { Plan, PlanInput } from './plan';

export interface PlanMarks {
  /** From the session's begin until its latest end. Left out: it may begin anything at any time, or nobody can say. */
  readonly openings?: readonly Interval[];
  /** When its canary hosts are done; left out: it has no canary, or does not get to its end. */
  readonly canaryEndsAtMs?: number;
}

type EndingPlan = Pick<Plan, 'hosts' | 'endsAtMs' | 'stopsAtMs'>;

export const marksOf = (plan: EndingPlan, { sessionId, sessions, nowMs }: MarkInput): PlanMarks => {
  const session = sessions.find((one) => one.sessionId === sessionId);
  if (session?.steering === undefined) return {};
  const { calendar, canary } = session.steering;
  const fromMs = Math.min(nowMs, session.begunAtMs ?? nowMs);
  const toMs = Math.max(nowMs, endOf(plan) ?? nowMs);
  const canaryEndsAtMs = canary && (canary.endedAtMs ?? endOfCanary(plan, canary.canary));
  return {
    ...(calendar && { openings: openingsBetween(calendar, { fromMs, toMs }) }),
    ...(canaryEndsAtMs !== undefined && { canaryEndsAtMs }),
  };
};

const endOf = ({ endsAtMs, stopsAtMs }: EndingPlan): number | undefined => endsAtMs?.latest ?? stopsAtMs;

type MarkInput = Pick<PlanInput, 'sessionId' | 'sessions' | 'nowMs'>;

/**
 * The last end of its hosts; undefined: the session does not get to it, or they are done. Of a canary that is a number,
 * the hosts that have begun count first, as in canary.ts.
 */
const endOfCanary = ({ hosts }: Pick<Plan, 'hosts'>, { hosts: wanted }: Canary): number | undefined => {
  const ofCanary =
    typeof wanted === 'number'
      ? [...hosts].sort((one, other) => rankOf(one.phase) - rankOf(other.phase)).slice(0, wanted)
      : hosts.filter(({ hostname }) => wanted.includes(hostname));
  if (ofCanary.some(isStuck)) return undefined;
  const ends = ofCanary.flatMap(({ maintenance }) => maintenance?.toMs ?? []);
  return ends.length === 0 ? undefined : Math.max(...ends);
};

/** True when the session does not get to the end of its work on the host. */
const isStuck = (host: Plan['hosts'][number]): boolean =>
  host.maintenance === undefined && host.endsAs === undefined && !isDone(host);

/** Hosts that wait are in the order of the plan already. */
const rankOf = (phase: Plan['hosts'][number]['phase']): number =>
  phase === 'waiting' ? 1 : phase === 'skipped' ? 2 : 0;
