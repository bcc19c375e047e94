/** Does something that would be done again and again, such as a warning while a server is away, only now and then. */

/** @returns a function that calls what it is given, unless it has called something within this time */
export const createSeldom = (everyMs: number): ((act: () => void) => void) => {
  let lastMs = -Infinity;
  return (act) => {
    if (performance.now() - lastMs < everyMs) return;
    lastMs = performance.now();
    act();
  };
};
