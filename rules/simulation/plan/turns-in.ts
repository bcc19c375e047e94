/** Reads from a plan when the turn of each host and instance comes, and which host frees the place for it. */
import { type ForetoldTurn, noTurns, type Turns } from '../../reasons/by-plan';
import type { Plan } from './plan';

/** A plan of a large session has thousands of moves, so only the turns of those are kept that may wait now. */
export const turnsIn = (plan: Pick<Plan, 'endsAtMs' | 'hosts' | 'moves' | 'blockers'>): Turns => {
  if (plan.endsAtMs === undefined || plan.blockers.some(({ isNotPlayed }) => isNotPlayed === true)) return noTurns;
  const beingDrained = new Set(plan.hosts.filter(({ phase }) => phase === 'emptying').map(({ hostname }) => hostname));
  const movesFrom = Map.groupBy(plan.moves, ({ source }) => source);
  const backAtMs = new Map(
    plan.hosts.flatMap(({ hostname, maintenance }) => (maintenance ? [[hostname, maintenance.toMs] as const] : [])),
  );
  const turnAt = (atMs: number, targets: readonly (string | undefined)[]): ForetoldTurn => {
    const freedBy = lastBack(targets, { backAtMs, atMs });
    return { atMs, ...(freedBy !== undefined && { freedBy }) };
  };
  return new Map([
    ...plan.hosts.flatMap(({ hostname, phase, drain, maintenance }): [string, ForetoldTurn][] => {
      const begin = phase === 'waiting' ? (drain ?? maintenance) : undefined;
      const targets = (movesFrom.get(hostname) ?? []).map(({ target }) => target);
      return begin ? [[hostname, turnAt(begin.fromMs, targets)]] : [];
    }),
    ...plan.moves
      .filter(({ source }) => beingDrained.has(source))
      .map(({ instanceId, target, span }): [string, ForetoldTurn] => [instanceId, turnAt(span.fromMs, [target])]),
  ]);
};

/** The target that was maintained before and came back last: the others had their place already. */
const lastBack = (
  targets: readonly (string | undefined)[],
  { backAtMs, atMs }: { readonly backAtMs: ReadonlyMap<string, number>; readonly atMs: number },
): string | undefined => {
  const backOf = (target: string): number => backAtMs.get(target) ?? Infinity;
  return targets
    .flatMap((target) => (target !== undefined && backOf(target) <= atMs ? [target] : []))
    .reduce<string | undefined>(
      (last, target) => (last === undefined || backOf(target) > backOf(last) ? target : last),
      undefined,
    );
};
