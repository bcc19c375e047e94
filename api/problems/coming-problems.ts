/** Problems of secret addresses and scheduled events. */
import { ApiError } from './problem';

export const noSecretAddress = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'NO_SECRET_ADDRESS',
    detail: 'no secret address was made, or it was withdrawn',
    hint: 'make one with POST at this path',
  });

export const unknownEvents = (ids: readonly string[]): ApiError =>
  new ApiError({
    status: 404,
    code: 'UNKNOWN_EVENTS',
    detail: `there are no such events here: ${ids.slice(0, 10).join(', ')}; nothing was acknowledged`,
    hint: 'send the EventId of events in the document at this address',
  });

export const unknownSecret = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'UNKNOWN_SECRET',
    detail: 'there is nothing at this address: it was withdrawn, or never made',
    hint: 'ask the project for the address in force',
  });
