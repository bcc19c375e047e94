/** The status codes of gRPC that Temporal's answers have, by their names in the standard. */
import { isGrpcServiceError } from '@temporalio/client';

const codes = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  UNIMPLEMENTED: 12,
  UNAUTHENTICATED: 16,
} as const;

export const hasGrpcCode = (error: unknown, ...names: readonly (keyof typeof codes)[]): boolean => {
  if (!isGrpcServiceError(error)) return false;
  const code: number = error.code;
  return names.some((name) => codes[name] === code);
};
