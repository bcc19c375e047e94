/** What is made out of a host's load when it is asked for, and kept until the load changes. */
export class LoadMemo<Derived> {
  readonly #known = new Map<string, Derived>();

  constructor(private readonly derive: (hostname: string) => Derived) {}

  of(hostname: string): Derived {
    const known = this.#known.get(hostname);
    if (known !== undefined) return known;
    const derived = this.derive(hostname);
    this.#known.set(hostname, derived);
    return derived;
  }

  /** The host's load has changed. */
  forget(hostname: string): void {
    this.#known.delete(hostname);
  }
}
