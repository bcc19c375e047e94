/** A promise that the test resolves: it lets something wait, or tells that something has been reached. */
export interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
}

export const aGate = (): Gate => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
};
