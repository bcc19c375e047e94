/** Kubernetes' quantities, such as `100m`, `1.5`, `64Mi` or `2e3`, as numbers. */

const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** @throws Error when the text is no quantity */
export const quantity = (text: string): number => {
  const [, number, suffix = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([numkKMGTPE]?i?)$/.exec(text) ?? [];
  const factor = factors[suffix];
  if (number === undefined || factor === undefined || Number.isNaN(Number(number))) {
    throw new Error(`the Kubernetes API gave "${text}" where a quantity such as 100m or 64Mi is expected`);
  }
  return Number(number) * factor;
};
