/** Problems of hosts on which a person works. */
import { ApiError } from './problem';

export const hostNotHeld = (hostname: string): ApiError =>
  new ApiError({
    status: 422,
    code: 'HOST_NOT_HELD',
    detail: `host ${hostname} cannot be released: no person is waited for on it; nothing was changed`,
    errors: [{ pointer: '#path/hostname', message: 'no person is waited for on it' }],
    hint: 'release a host while the action plug-in hold waits on it; GET /v1/maintenance/{session_id}/detail tells which do',
  });
