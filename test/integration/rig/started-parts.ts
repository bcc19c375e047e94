/** The parts of a rig that have started. They end in reverse, all of them, also where one fails to. */
export interface StartedParts {
  /** Says how a part that has started ends. */
  endsBy(end: () => Promise<unknown>): void;
  /** @throws what the first part threw that failed to end */
  endAll(): Promise<void>;
}

export const startedParts = (): StartedParts => {
  const ends: (() => Promise<unknown>)[] = [];
  return {
    endsBy(end) {
      ends.push(end);
    },
    async endAll() {
      const failures: unknown[] = [];
      for (const end of ends.splice(0).reverse()) await end().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
};
