/** The services that the global set-up started and the tear-down stops. Both run in the same process. */
let stops: (() => Promise<void>)[] = [];

export const stopAtTheEnd = (stop: () => Promise<void>): void => {
  stops.push(stop);
};

/** Last started, first stopped. */
export const stopAll = async (): Promise<void> => {
  const inReverse = stops.toReversed();
  stops = [];
  for (const stop of inReverse) await stop();
};
