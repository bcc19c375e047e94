/** Problems of archiving sessions. */
import { ApiError } from './problem';

export const notOver = (sessionId: string): ApiError =>
  new ApiError({
    status: 422,
    code: 'NOT_OVER',
    detail: `session ${sessionId} cannot be archived: it is not over, or is continued or deleted just now`,
    errors: [{ pointer: '#path/session_id', message: 'must be a session that is done or has failed' }],
    hint: 'wait for its end, or abort it first',
  });
