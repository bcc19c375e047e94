/** Hosts in the order in which to open them, where each that is opened may make others cost more, and never less. */
import type { Host } from '../fleet/fleet';
import { lowerBound } from '../live/lower-bound';

/** How many hosts may be tried in vain before the search for one to open ends, where others are under work. */
export const mostFailures = 10;

interface Costed {
  readonly host: Host;
  readonly cost: number;
  readonly position: number;
}

export class OpeningQueue {
  /** The cheapest one last. */
  readonly #costed: Costed[];

  /** @param hosts those of the same cost in the order in which they go */
  constructor(
    hosts: readonly Host[],
    private readonly costOf: (host: Host) => number,
  ) {
    this.#costed = hosts.map((host, position) => ({ host, cost: costOf(host), position })).sort(lastFirst);
  }

  /** The host that costs least now. Undefined where none is left. */
  take(): Host | undefined {
    for (let next = this.#costed.pop(); next; next = this.#costed.pop()) {
      const now = { ...next, cost: this.costOf(next.host) };
      const second = this.#costed.at(-1);
      if (!second || lastFirst(second, now) < 0) return next.host;
      const place = lowerBound(this.#costed, (other) => lastFirst(other, now) < 0);
      this.#costed.splice(place, 0, now);
    }
    return undefined;
  }
}

function lastFirst(one: Costed, other: Costed): number {
  return other.cost - one.cost || other.position - one.position;
}
