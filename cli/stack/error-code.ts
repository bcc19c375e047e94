/**
 * True when an error has that code of the system or of PostgreSQL, such as `EEXIST` or `42P04`. It does not use
 * `instanceof`, because the system's errors may come from another realm (in a test, for example).
 */
export const isErrorWithCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;
