/** All of them at once; where one fails, whichever it is, the others have ended starting. */
export const allStarted = async <T extends readonly unknown[]>(starts: {
  readonly [Index in keyof T]: Promise<T[Index]>;
}): Promise<T> => {
  await Promise.allSettled(starts);
  return await Promise.all(starts);
};
