/** Hosts in the order in which to open them, where each that is opened may make others cost more, and never less. */
import type { Host } from '../fleet/fleet';
import { lowerBound } from '../live/lower-bound';

/** What hosts are compared by: the first of these that differs, the least first. */
export type Rank = readonly [number, number];

interface Ranked {
  readonly host: Host;
  readonly rank: Rank;
  readonly position: number;
}

export class OpeningQueue {
  /** The first one last. */
  readonly #ranked: Ranked[];

  /** @param hosts of the same rank, in the order in which they go */
  constructor(
    hosts: readonly Host[],
    private readonly rankOf: (host: Host) => Rank,
  ) {
    this.#ranked = hosts.map((host, position) => ({ host, rank: rankOf(host), position })).sort(lastFirst);
  }

  /** The host that is first by what it costs now. Undefined where none is left. */
  take(): Host | undefined {
    for (let next = this.#ranked.pop(); next; next = this.#ranked.pop()) {
      const now = { ...next, rank: this.rankOf(next.host) };
      const second = this.#ranked.at(-1);
      if (!second || lastFirst(second, now) < 0) return next.host;
      const place = lowerBound(this.#ranked, (other) => lastFirst(other, now) < 0);
      this.#ranked.splice(place, 0, now);
    }
    return undefined;
  }
}

function lastFirst(one: Ranked, other: Ranked): number {
  return other.rank[0] - one.rank[0] || other.rank[1] - one.rank[1] || other.position - one.position;
}
