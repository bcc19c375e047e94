/** What is worked out when it is asked for, and kept until what it was made out of has changed. */
export class Memo<Key, Value> {
  readonly #known = new Map<Key, Value>();

  constructor(private readonly workOut: (key: Key) => Value) {}

  of(key: Key): Value {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = this.workOut(key);
    this.#known.set(key, value);
    return value;
  }

  forget(key: Key): void {
    this.#known.delete(key);
  }
}
