/**
 * Waits until the work ends, but at most this long; the work goes on after that.
 *
 * @throws the error of the work, when it fails until then
 */
export const waitAtMost = async (underWay: Promise<unknown>, milliseconds: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds).unref()));
  await Promise.race([underWay, limit]).finally(() => clearTimeout(timer));
};
