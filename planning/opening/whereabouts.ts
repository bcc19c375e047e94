/** Where instances are while a script is played, and where they are going: instances and hosts by position. */
import type { Script } from './script';

export class Whereabouts {
  readonly #hostAtFirst: Int32Array;
  readonly #hostOf: Int32Array;
  readonly #targetOf: (number | undefined)[];
  /** Instances on each host at first, and those that came to it since; `#hostOf` says whether they still are there. */
  readonly #atFirstOn: readonly (readonly number[])[];
  readonly #cameTo: readonly number[][];
  readonly #countAtFirstOn: Int32Array;
  readonly #countOn: Int32Array;
  readonly #countTo: Int32Array;

  constructor({ hosts, instances }: Script) {
    this.#hostAtFirst = Int32Array.from(instances, ({ host }) => host);
    this.#hostOf = this.#hostAtFirst.slice();
    this.#targetOf = instances.map(() => undefined);
    const atFirstOn = hosts.map((): number[] => []);
    instances.forEach(({ host }, id) => atFirstOn[host]?.push(id));
    this.#atFirstOn = atFirstOn;
    this.#cameTo = hosts.map(() => []);
    this.#countAtFirstOn = Int32Array.from(atFirstOn, (ids) => ids.length);
    this.#countOn = this.#countAtFirstOn.slice();
    this.#countTo = new Int32Array(hosts.length);
  }

  /** All are on their hosts, and nobody is going anywhere. */
  reset(): void {
    this.#hostOf.set(this.#hostAtFirst);
    this.#targetOf.fill(undefined);
    for (const came of this.#cameTo) came.length = 0;
    this.#countOn.set(this.#countAtFirstOn);
    this.#countTo.fill(0);
  }

  hostOf(id: number): number {
    return this.#hostOf[id] ?? 0;
  }

  /** Where it is going, or has a reserved place. */
  targetOf(id: number): number | undefined {
    return this.#targetOf[id];
  }

  isEmpty(host: number): boolean {
    return this.countOn(host) === 0;
  }

  countOn(host: number): number {
    return this.#countOn[host] ?? 0;
  }

  /** Whether anything is going to the host, or has a reserved place there. */
  isAwaiting(host: number): boolean {
    return (this.#countTo[host] ?? 0) > 0;
  }

  /** Those on the host that are going nowhere: the largest first, as instances are by their position. */
  placelessOn(host: number): readonly number[] {
    const isPlaceless = (id: number): boolean => this.#hostOf[id] === host && this.#targetOf[id] === undefined;
    const placeless = this.#atFirstOn[host]?.filter(isPlaceless) ?? [];
    const came = this.#cameTo[host]?.filter(isPlaceless) ?? [];
    return came.length === 0 ? placeless : [...placeless, ...came].sort((one, other) => one - other);
  }

  send(id: number, target: number): void {
    this.#targetOf[id] = target;
    add(this.#countTo, target, 1);
  }

  /** It stays. */
  recall(id: number): void {
    const target = this.#targetOf[id];
    if (target === undefined) return;
    this.#targetOf[id] = undefined;
    add(this.#countTo, target, -1);
  }

  /** It is where it was going. */
  arrive(id: number): void {
    const target = this.#targetOf[id];
    if (target === undefined) return;
    add(this.#countOn, this.hostOf(id), -1);
    this.recall(id);
    this.#hostOf[id] = target;
    this.#cameTo[target]?.push(id);
    add(this.#countOn, target, 1);
  }
}

function add(counts: Int32Array, position: number, count: number): void {
  counts[position] = (counts[position] ?? 0) + count;
}
