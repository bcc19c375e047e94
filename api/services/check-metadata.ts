/**
 * Checks the size of a session's `metadata`. Every event to a project repeats them, and the bus takes no event that is
 * too large for it.
 */
import type { FieldError } from '../problems/problem';
import type { CreateSessionBody } from '../schemas/session-schemas';

/** Bytes as JSON, without spaces. */
export const checkMetadata = ({ metadata }: Pick<CreateSessionBody, 'metadata'>, limitBytes: number): FieldError[] => {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= limitBytes) return [];
  const message = `must have at most ${limitBytes} bytes as JSON, but has ${bytes}: every event to a project repeats it; shorten it, or raise the setting PARLEY_METADATA_LIMIT of the service`;
  return [{ pointer: '/metadata', message }];
};
