/**
 * Decides which of the entries of a session (coming.ts) are worth telling to their owners: by what was told last. It is
 * told when an instance is first scheduled, when its start moves by more than a limit, and when nothing comes any more.
 * Whatever else changes is kept for the next look, and told to nobody.
 */
import { type IdKey, keyOf } from '../cloud/id';
import type { Range } from '../simulation/plan/plan';
import type { Coming, ComingStatus } from './coming';

export type ComingChange = 'scheduled' | 'moved' | 'canceled';

export interface ComingOfProject extends Coming {
  readonly projectId: string;
}

/** The last word about an instance in a session. Times in milliseconds. */
export interface ToldComing {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly status: ComingStatus;
  readonly impact: string | null;
  readonly startsAtMs: number;
  readonly latestAtMs: number;
  readonly endsAtMs: number;
  /** Rises when the start changes, and when it is canceled. */
  readonly sequence: number;
}

export interface ComingTelling {
  /** The word from now on. */
  readonly word: ToldComing;
  /** Left out: it is kept, and not told. */
  readonly change?: ComingChange;
}

export interface TellingFacts {
  readonly now: readonly ComingOfProject[];
  readonly told: readonly ToldComing[];
  /** An instance without an entry has nothing coming. False: there is no plan, which may know more. */
  readonly isComplete: boolean;
  /** The keys of the instances whose action in the session is over. */
  readonly ended: ReadonlySet<IdKey>;
  /** The start has to move by more than that. */
  readonly movedMs: number;
}

/** Those that change something, in the order of the entries. */
export const worthTelling = (facts: TellingFacts): readonly ComingTelling[] => {
  const told = new Map(facts.told.map((one) => [keyOf(one.instanceId), one]));
  const present = new Set(facts.now.map(({ instanceId }) => keyOf(instanceId)));
  const absent = facts.isComplete ? facts.told.filter(({ instanceId }) => !present.has(keyOf(instanceId))) : [];
  return [
    ...facts.now.flatMap((entry) => tellingOf(entry, told.get(keyOf(entry.instanceId)), facts.movedMs) ?? []),
    ...absent.flatMap((word) => farewellTo(word, facts.ended) ?? []),
  ];
};

/** Nothing comes in a session that is removed. */
export const tellingOfRemoval = (told: readonly ToldComing[]): readonly ComingTelling[] => {
  const ended = new Set(told.filter(({ status }) => status === 'executing').map(({ instanceId }) => keyOf(instanceId)));
  return worthTelling({ now: [], told, isComplete: true, ended, movedMs: 0 });
};

const tellingOf = (
  entry: ComingOfProject,
  told: ToldComing | undefined,
  movedMs: number,
): ComingTelling | undefined => {
  switch (entry.status) {
    case 'inquiring':
    case 'scheduled':
      return tellingToCome(entry, told, movedMs);
    case 'executing':
    case 'completed':
      return begun(entry, told);
    case 'failed':
      return told && kept(told, { status: 'failed' });
    case 'canceled':
      return told && canceled(told);
  }
};

const isOver = ({ status }: ToldComing): boolean => status === 'completed' || status === 'canceled';

const tellingToCome = (
  entry: ComingOfProject,
  told: ToldComing | undefined,
  movedMs: number,
): ComingTelling | undefined => {
  const { status, impact = null, startsAtMs: starts } = entry;
  // Nobody can tell a time that is not known.
  if (starts === undefined) return told && !isOver(told) ? kept(told, { status, impact }) : undefined;
  const isNew = told === undefined || isOver(told);
  if (!isNew && Math.abs(starts.expected - told.startsAtMs) <= movedMs) return kept(told, { status, impact });
  return { word: wordOf(entry, starts, told), change: isNew ? 'scheduled' : 'moved' };
};

const wordOf = (
  { instanceId, instanceName, projectId, status, impact, takesMs = 0 }: ComingOfProject,
  { expected, latest }: Pick<Range, 'expected' | 'latest'>,
  told: ToldComing | undefined,
): ToldComing => ({
  ...{ instanceId, instanceName, projectId, status, impact: impact ?? null, startsAtMs: expected },
  latestAtMs: Math.max(latest, expected),
  endsAtMs: expected + takesMs,
  sequence: told === undefined ? 0 : told.sequence + 1,
});

/** Its times are those of the action from then on. One that is over before anybody was told is no news. */
const begun = (entry: ComingOfProject, told: ToldComing | undefined): ComingTelling | undefined => {
  const { status, startedAtMs: startMs } = entry;
  if (told === undefined)
    return status === 'completed' || startMs === undefined ? undefined : { word: begunAt(entry, startMs) };
  if (startMs === undefined) return kept(told, { status });
  const sequence = told.sequence + (told.startsAtMs === startMs ? 0 : 1);
  return kept(told, { ...begunAt(entry, startMs, told), sequence });
};

const begunAt = (entry: ComingOfProject, startMs: number, told?: ToldComing): ToldComing => ({
  ...wordOf(entry, { expected: startMs, latest: startMs }, told),
  endsAtMs: entry.endedAtMs ?? Math.max(told?.endsAtMs ?? 0, startMs),
});

/** Undefined: it is the same. */
const kept = (told: ToldComing, change: Partial<ToldComing>): ComingTelling | undefined => {
  const word = { ...told, ...change };
  return Object.entries(change).every(([field, value]) => Reflect.get(told, field) === value) ? undefined : { word };
};

const canceled = (told: ToldComing): ComingTelling | undefined =>
  isOver(told) ? undefined : { word: { ...told, status: 'canceled', sequence: told.sequence + 1 }, change: 'canceled' };

const farewellTo = (told: ToldComing, ended: ReadonlySet<IdKey>): ComingTelling | undefined =>
  !isOver(told) && ended.has(keyOf(told.instanceId)) ? kept(told, { status: 'completed' }) : canceled(told);
