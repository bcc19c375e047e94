/** Whether an error is the system's or PostgreSQL's error of that code, such as `EEXIST` or `42P04`. */
export const isErrorWithCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
