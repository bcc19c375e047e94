/**
 * Whether an error is the system's or PostgreSQL's error of that code, such as `EEXIST` or `42P04`. Not asked by
 * `instanceof`: the system's errors may come from another realm than ours (in a test, for one).
 */
export const isErrorWithCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;
