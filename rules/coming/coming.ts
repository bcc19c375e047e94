/**
 * Says what is coming for each instance of one project in one session: from the session's records, and from its plan
 * (foretold.ts). An instance that the session neither has impacted nor will impact has no entry.
 */
import { type IdKey, keyOf } from '../cloud/id';
import type { HostPhase } from '../decisions/fleet/fleet';
import { canBePutOff } from '../owner-times/postpone';
import type { OwnerTimes } from '../owner-times/release';
import type { Range } from '../simulation/plan/plan';
import type { ClaimOutcome } from '../steps/claim-step';
import { type Foretold, type ForetoldMove, startOf } from './foretold';

/**
 * inquiring: a question about it is open. scheduled: its impact has not begun. executing: its action goes on.
 * completed: its action is over, and none follows. failed: its action, its host or the session has failed. canceled:
 * its host is left out of the session, or the session is aborted.
 */
export const comingStatuses = ['inquiring', 'scheduled', 'executing', 'completed', 'failed', 'canceled'] as const;
export type ComingStatus = (typeof comingStatuses)[number];

/** An instance as the session knows it. */
export interface KnownInstance {
  readonly instanceId: string;
  readonly instanceName: string;
  /** The cloud does not list it any more. */
  readonly isGone: boolean;
  readonly action: string | null;
  readonly actionDone: boolean;
  /** The phase of the host that it is on; null: the session has no such host. */
  readonly hostPhase: HostPhase | null;
}

/** The session's permission to impact the instance. Milliseconds; null: not yet. */
export interface ClaimInTime {
  readonly instanceId: string;
  readonly action: string;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly outcome: ClaimOutcome | null;
}

/** A question that nobody has answered yet. */
export interface OpenQuestion {
  readonly state: string;
  /** Null: the project is asked about all of `instanceIds`. */
  readonly instanceId: string | null;
  readonly instanceIds: readonly string[];
}

export interface ComingFacts {
  readonly nowMs: number;
  /** How the session ends before its work is done; left out: it goes on. */
  readonly ending?: 'failed' | 'canceled';
  /** Left out: there is no plan, as of a session that is paused. */
  readonly foretold?: Foretold;
  readonly projectKey: IdKey;
  readonly instances: readonly KnownInstance[];
  /** The oldest first. */
  readonly claims: readonly ClaimInTime[];
  readonly questions: readonly OpenQuestion[];
  /** By the keys of the instances. */
  readonly ownerTimes: ReadonlyMap<IdKey, OwnerTimes>;
  /** The latest time until which the project may put work off; left out: it may not, or was not asked yet. */
  readonly notBeforeLatestMs?: number;
}

/** Times in milliseconds; left out: not known, or there is none. */
export interface Coming {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly status: ComingStatus;
  /** The action by which it is impacted. */
  readonly impact?: string;
  /** When its action is expected to start, where it has not. */
  readonly startsAtMs?: Range;
  /** How long its action is expected to take, where it has not started. */
  readonly takesMs?: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  /** Its owner lets nobody impact it before. */
  readonly notBeforeMs?: number;
  readonly notBeforeLatestMs?: number;
  readonly question?: OpenQuestion;
}

/** @returns entries in the order of their times: those that have begun, then the soonest ones */
export const comingIn = (facts: ComingFacts): readonly Coming[] =>
  viewsOf(facts)
    .flatMap((view) => comingFor(view, facts))
    .toSorted(
      (one, other) => orderOf(one) - orderOf(other) || one.instanceName.localeCompare(other.instanceName, 'en'),
    );

const orderOf = ({ startedAtMs, startsAtMs }: Coming): number => startedAtMs ?? startsAtMs?.expected ?? Infinity;

/** All that is known of one instance. */
interface InstanceInSession {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly known: KnownInstance | undefined;
  /** The one whose action has begun and is not over. */
  readonly going: ClaimInTime | undefined;
  readonly lastEnded: ClaimInTime | undefined;
  /** Moves of the plan that have not been carried out since it was made. */
  readonly moves: readonly ForetoldMove[];
  readonly question: OpenQuestion | undefined;
}

const viewsOf = (facts: ComingFacts): readonly InstanceInSession[] => {
  const { foretold, projectKey, instances, claims } = facts;
  const known = new Map(instances.map((one) => [keyOf(one.instanceId), one]));
  const movesOf = Map.groupBy(
    (foretold?.moves ?? []).filter(({ projectId }) => keyOf(projectId) === projectKey),
    ({ instanceId }) => keyOf(instanceId),
  );
  const claimsOf = Map.groupBy(claims, ({ instanceId }) => keyOf(instanceId));
  const questionOf = questionsByInstance(facts.questions);
  return [...new Set([...known.keys(), ...movesOf.keys()])].flatMap((key): InstanceInSession[] => {
    const [moves, own] = [movesOf.get(key) ?? [], claimsOf.get(key) ?? []];
    const one = known.get(key) ?? moves[0];
    if (one === undefined) return [];
    const { instanceId, instanceName } = one;
    return [
      {
        ...{ instanceId, instanceName, known: known.get(key), question: questionOf.get(key) },
        going: own.findLast(({ startedAtMs, endedAtMs }) => startedAtMs !== null && endedAtMs === null),
        lastEnded: own.findLast(isOver),
        moves: moves.slice(own.filter((claim) => isOvertaken(claim, foretold)).length),
      },
    ];
  });
};

/** An action is tried again that a target refused, that was dropped, or that its project did not do in time. */
const isOver = ({ outcome }: ClaimInTime): boolean => outcome === 'done' || outcome === 'gone' || outcome === 'failed';

/** A kept plan still foretells a move that has ended since. */
const isOvertaken = ({ endedAtMs, outcome }: ClaimInTime, foretold: Foretold | undefined): boolean =>
  (outcome === 'done' || outcome === 'gone') && endedAtMs !== null && endedAtMs > (foretold?.seenAtMs ?? Infinity);

/** A question about one instance counts before one about many. Others than those about impact announce nothing. */
const questionsByInstance = (questions: readonly OpenQuestion[]): ReadonlyMap<IdKey, OpenQuestion> => {
  const about = questions.filter(({ state }) => canBePutOff(state));
  return new Map(
    [
      ...about.filter(({ instanceId }) => instanceId === null),
      ...about.filter(({ instanceId }) => instanceId !== null),
    ].flatMap((question) => question.instanceIds.map((id) => [keyOf(id), question] as const)),
  );
};

const comingFor = (view: InstanceInSession, facts: ComingFacts): Coming[] => {
  if (view.known?.isGone === true && view.going === undefined) return [];
  const status = statusOf(view, facts);
  if (status === undefined) return [];
  const { instanceId, instanceName, question } = view;
  const impact = impactOf(view);
  const isToCome = status === 'inquiring' || status === 'scheduled';
  return [
    {
      ...{ instanceId, instanceName, status },
      ...(impact !== null && { impact }),
      ...(isToCome ? timesToCome(view, facts) : timesOf(view)),
      ...(status === 'inquiring' && question && { question }),
    },
  ];
};

const impactOf = ({ going, moves: [next], lastEnded, known }: InstanceInSession): string | null =>
  [going, next, lastEnded].find((one) => one !== undefined)?.action ?? known?.action ?? null;

const statusOf = (view: InstanceInSession, { ending }: ComingFacts): ComingStatus | undefined => {
  if (view.going !== undefined) return 'executing';
  const isComing = view.question !== undefined || view.moves.length > 0;
  if (!isComing && isCompleted(view)) return 'completed';
  if (ending !== undefined) return ending;
  if (view.question !== undefined) return 'inquiring';
  return isComing ? 'scheduled' : statusByHost(view);
};

const isCompleted = ({ lastEnded, known }: InstanceInSession): boolean =>
  lastEnded === undefined ? known?.actionDone === true : lastEnded.outcome !== 'failed';

/** Left out: the session impacts nothing more there. */
const statusOn: Partial<Record<HostPhase, ComingStatus>> = {
  waiting: 'scheduled',
  emptying: 'scheduled',
  releasing: 'scheduled',
  failed: 'failed',
  set_aside: 'failed',
  skipped: 'canceled',
};

/** Undefined: nothing is coming. */
const statusByHost = ({ known, lastEnded }: InstanceInSession): ComingStatus | undefined => {
  if (lastEnded?.outcome === 'failed') return 'failed';
  const phase = known?.hostPhase ?? undefined;
  return phase && statusOn[phase];
};

type ComingTimes = Omit<Coming, 'instanceId' | 'instanceName' | 'status' | 'impact' | 'question'>;

const timesToCome = ({ instanceId, moves: [next] }: InstanceInSession, facts: ComingFacts): ComingTimes => {
  const { nowMs, foretold, ownerTimes, notBeforeLatestMs } = facts;
  const notBeforeMs = ownerTimes.get(keyOf(instanceId))?.notBeforeMs;
  return {
    ...(next &&
      foretold && {
        startsAtMs: startOf(foretold, next.fromMs, Math.max(nowMs, notBeforeMs ?? nowMs)),
        takesMs: next.toMs - next.fromMs,
      }),
    ...(notBeforeMs !== undefined && { notBeforeMs }),
    ...(notBeforeLatestMs !== undefined && { notBeforeLatestMs }),
  };
};

const timesOf = ({ going, lastEnded }: InstanceInSession): ComingTimes => {
  const { startedAtMs = null, endedAtMs = null } = going ?? lastEnded ?? {};
  return { ...(startedAtMs !== null && { startedAtMs }), ...(endedAtMs !== null && { endedAtMs }) };
};
