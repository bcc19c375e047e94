/** What an error says of itself, whichever realm's Error it is. */

const fieldOf = (error: unknown, name: 'code' | 'message' | 'syscall'): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** Such as ENOENT; undefined where it has none. */
export const errorCode = (error: unknown): string | undefined => {
  const code = fieldOf(error, 'code');
  return typeof code === 'string' ? code : undefined;
};

export const errorMessage = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join(', ');
  const message = fieldOf(error, 'message');
  return typeof message === 'string' ? message : String(error);
};

/** The operating system said no: a full disk, a missing right. */
export const isSystemError = (error: unknown): boolean => fieldOf(error, 'syscall') !== undefined;
