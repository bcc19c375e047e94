/** Problems of requests that no endpoint takes, and of the service itself. */
import { ApiError } from './problem';

export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]): ApiError =>
  new ApiError({
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    detail: `${path} does not take ${method}`,
    hint: `use one of ${allowed.join(', ')}; /docs and /openapi.json list every endpoint`,
    headers: { Allow: allowed.join(', ') },
  });

export const noSuchEndpoint = (method: string, path: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'NO_SUCH_ENDPOINT',
    detail: `there is no ${method} ${path}`,
    hint: '/docs and /openapi.json list every endpoint',
  });

/** Says nothing about the cause; the log has it under the request's ID. */
export const internalError = (requestId: string): ApiError =>
  new ApiError({
    status: 500,
    code: 'INTERNAL_ERROR',
    detail: 'something went wrong in the service',
    hint: `repeat the request; if it fails again, look for request ${requestId} in the service's log`,
  });
