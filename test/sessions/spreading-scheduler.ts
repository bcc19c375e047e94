/**
 * The rule of topology spread once more, beside the product and as the documentation of Kubernetes tells it, over the
 * pods and nodes of one moment: what the scheduler would do with one pod after the other.
 */

export interface SpreadRule {
  readonly over: 'hosts' | 'zones';
  readonly maxSkew: number;
  /** nodeTaintsPolicy Honor: a cordoned node does not count. */
  readonly honorsTaints: boolean;
}

export interface SpreadNode {
  readonly name: string;
  readonly zone: string;
}

export class SpreadingScheduler {
  /** The node of each pod of one application; undefined: it is Pending. */
  readonly nodeOf = new Map<string, string | undefined>();
  /** The only node that can take a pod, such as by its volume. */
  readonly boundTo = new Map<string, string>();

  constructor(
    private readonly nodes: readonly SpreadNode[],
    private readonly rules: readonly SpreadRule[],
    private readonly cordoned: ReadonlySet<string>,
  ) {}

  /** True when a pod that is on no node may go there. */
  mayGo(to: SpreadNode): boolean {
    return !this.cordoned.has(to.name) && this.rules.every((rule) => this.#skewOn(to, rule) <= rule.maxSkew);
  }

  /** Puts each pod that is Pending on the emptiest node where it may go, until none finds one. */
  placePending(): void {
    while (this.idsOn(undefined).some((id) => this.#place(id)));
  }

  /** @returns true when it found a node */
  #place(id: string): boolean {
    const choices = this.nodes.map(({ name }) => name).filter((name) => this.#mayTake(name, id));
    const [first] = choices.toSorted((one, other) => this.#podsOn(one) - this.#podsOn(other));
    if (first !== undefined) this.nodeOf.set(id, first);
    return first !== undefined;
  }

  #mayTake(name: string, id: string): boolean {
    const node = this.nodes.find((each) => each.name === name);
    return node !== undefined && (this.boundTo.get(id) ?? name) === name && this.mayGo(node);
  }

  /** @param name undefined: those that are Pending */
  idsOn(name: string | undefined): readonly string[] {
    return [...this.nodeOf].flatMap(([id, at]) => (at === name ? [id] : []));
  }

  get pending(): number {
    return this.#podsOn(undefined);
  }

  #podsOn(name: string | undefined): number {
    return this.idsOn(name).length;
  }

  #skewOn(to: SpreadNode, { over, honorsTaints }: SpreadRule): number {
    const counted = this.nodes.filter(({ name }) => !honorsTaints || !this.cordoned.has(name));
    const domainOf = ({ name, zone }: SpreadNode): string => (over === 'hosts' ? name : zone);
    const sums = new Map<string, number>();
    for (const node of counted) sums.set(domainOf(node), (sums.get(domainOf(node)) ?? 0) + this.#podsOn(node.name));
    return (sums.get(domainOf(to)) ?? 0) + 1 - Math.min(...sums.values());
  }
}
