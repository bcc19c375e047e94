/**
 * A wait for a place ends by itself where the session's plan comes to its end: then it is the turn of whoever waits,
 * at the time that the plan foretells. Somebody has to act only where the plan stops. The one place that decides it,
 * for all who tell reasons; rules/simulation/plan/turns-in.ts reads the turns from a plan.
 */
import type { Reason } from './reason';

/** When somebody's turn comes. */
export interface ForetoldTurn {
  readonly atMs: number;
  /** The host that is back by then and takes its instances; left out: the plan does not tell it. */
  readonly freedBy?: string;
}

/** By the name of the host, or the ID of the instance. Empty: the session would not come to its end. */
export type Turns = ReadonlyMap<string, ForetoldTurn>;

export const noTurns: Turns = new Map();

/** The reason as it is by the plan. */
export const asTurn =
  (turns: Turns) =>
  (reason: Reason): Reason => {
    const turn = turns.get(reason.who);
    if (turn === undefined) return reason;
    const { who, because, sinceMs } = reason;
    const { freedBy, atMs: untilMs } = turn;
    if (isForTurn(reason)) return { ...reason, untilMs: reason.untilMs ?? untilMs };
    if (!isForPlace(reason)) return reason;
    const about = { who, because, sinceMs, untilMs };
    return freedBy === undefined
      ? { waitingFor: 'host', ...about, subject: who }
      : { waitingFor: 'place', ...about, subject: freedBy };
  };

/** An owner is noted where a target has refused it. */
const isForTurn = ({ waitingFor, owner }: Reason): boolean => waitingFor === 'host' && owner === undefined;

/** True where a decision has found no target: an owner is noted with that (decisions/limits/lack.ts). */
const isForPlace = ({ waitingFor, owner }: Reason): boolean =>
  owner !== undefined && (waitingFor === 'room' || waitingFor === 'affinity' || waitingFor === 'host');
