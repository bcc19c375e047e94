/** Many ask at once and often: each page and each command that watches. They share one answer, and the work for it. */
export const sharedFor = <T>(ms: number, ask: () => Promise<T>): (() => Promise<T>) => {
  let last: { readonly answer: Promise<T>; readonly untilMs: number } | undefined;
  return () => {
    if (last === undefined || performance.now() >= last.untilMs) {
      const answer = ask();
      const mine = { answer, untilMs: Infinity };
      last = mine;
      void answer
        .catch(() => undefined)
        .then(() => {
          if (last === mine) last = { answer, untilMs: performance.now() + ms };
        });
    }
    return last.answer;
  };
};
