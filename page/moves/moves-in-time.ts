/** The moves of a session at any time: those that have begun, and those that its plan expects. */
import { nameOr } from '../../rules/words/names';
import { shortId } from '../../rules/words/times';
import type { BegunMove, Plan } from '../client/types';

/** stayed: it came to its end, and the instance is still on its host. */
export type MoveState = 'to come' | 'moving' | 'done' | 'stayed';

/** A move on the map. */
export interface MapMove {
  readonly instance: string;
  readonly tenant: string;
  readonly from: string;
  /** undefined: its project finds the place. */
  readonly to: string | undefined;
  readonly fromMs: number;
  /** undefined: nobody knows yet. */
  readonly toMs: number | undefined;
  readonly hasStayed: boolean;
}

type PlannedMove = Plan['moves'][number];

const keyOf = ({ instance_id: id, host }: Pick<BegunMove, 'instance_id' | 'host'>): string => `${id} ${host}`;

/** A plan has the moves under way, too: these are told once, with the end that the plan expects. */
export const movesOf = (begun: readonly BegunMove[], planned: readonly PlannedMove[], nowMs: number): MapMove[] => {
  const underWay = new Map(begun.filter(({ to }) => to === null).map((move) => [keyOf(move), move]));
  const nameOf = tenantNames([...begun, ...planned]);
  const ends = new Map(planned.map((move) => [keyOf(move), Date.parse(move.to)]));
  return [
    ...begun.map((move) => ({
      ...shown(move, nameOf),
      toMs: move.to === null ? ends.get(keyOf(move)) : Date.parse(move.to),
      hasStayed: move.outcome === 'stayed',
    })),
    ...planned
      .filter((move) => !underWay.has(keyOf(move)))
      // It has not begun, whatever an older plan expected.
      .map((move) => later({ ...shown(move, nameOf), toMs: Date.parse(move.to), hasStayed: false }, nowMs)),
  ];
};

type TenantNames = (projectId: string) => string;

/** Projects with the same name are told apart by their IDs. */
const tenantNames = (moves: readonly Pick<BegunMove, 'project_id' | 'project_name'>[]): TenantNames => {
  const names = new Map(moves.map(({ project_id: id, project_name: name }) => [id, nameOr(id, name)]));
  const ofName = Map.groupBy(names.keys(), (id) => names.get(id));
  return (id) => {
    const name = names.get(id) ?? id;
    return (ofName.get(name) ?? []).length > 1 ? (name === shortId(id) ? id : `${name} (${shortId(id)})`) : name;
  };
};

const shown = (move: BegunMove | PlannedMove, nameOf: TenantNames): Omit<MapMove, 'toMs' | 'hasStayed'> => ({
  instance: move.instance_name,
  tenant: nameOf(move.project_id),
  from: move.host,
  to: move.target ?? undefined,
  fromMs: Date.parse(move.from),
});

const later = (move: MapMove & { readonly toMs: number }, nowMs: number): MapMove => {
  const byMs = Math.max(0, nowMs + 1 - move.fromMs);
  return { ...move, fromMs: move.fromMs + byMs, toMs: move.toMs + byMs };
};

export const stateAt = ({ fromMs, toMs, hasStayed }: MapMove, atMs: number): MoveState => {
  if (atMs < fromMs) return 'to come';
  if (atMs < (toMs ?? Infinity)) return 'moving';
  return hasStayed ? 'stayed' : 'done';
};

export const states: readonly MoveState[] = ['done', 'moving', 'to come', 'stayed'];

export const countsAt = (moves: readonly MapMove[], atMs: number): Readonly<Record<MoveState, number>> => {
  const counts = { 'to come': 0, moving: 0, done: 0, stayed: 0 };
  for (const move of moves) counts[stateAt(move, atMs)] += 1;
  return counts;
};
