/** The facts in an error, even when the error comes from another realm. */

const fieldOf = (error: unknown, name: 'code' | 'message' | 'syscall'): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** A code such as ENOENT; undefined when the error has none. */
export const errorCode = (error: unknown): string | undefined => {
  const code = fieldOf(error, 'code');
  return typeof code === 'string' ? code : undefined;
};

export const errorMessage = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join(', ');
  // undici asserts what only a server that breaks the rules can violate.
  if (errorCode(error) === 'ERR_ASSERTION') return 'its answer breaks the rules of HTTP';
  const message = fieldOf(error, 'message');
  return typeof message === 'string' ? message : String(error);
};

/** The operating system refused: a full disk, a missing right. */
export const isSystemError = (error: unknown): boolean => fieldOf(error, 'syscall') !== undefined;
