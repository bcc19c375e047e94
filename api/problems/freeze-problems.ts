/** The refusals of the endpoints of freezes. */
import { ApiError } from './problem';

export const freezeNotFound = (name: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'FREEZE_NOT_FOUND',
    detail: `there is no freeze ${name}`,
    hint: 'GET /v1/freezes lists the freezes; a deleted one is gone',
  });
