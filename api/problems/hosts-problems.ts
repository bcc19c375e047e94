/** The refusals of the hosts of a create request. */
import type { TakenHost } from '../../prisma/session/sessions';
import type { CreateSessionBody } from '../schemas/session-schemas';
import { ApiError, type FieldError } from './problem';

export const unknownHosts = (errors: readonly FieldError[]): ApiError =>
  new ApiError({
    status: 400,
    code: 'UNKNOWN_HOSTS',
    detail: 'the cloud does not have some of the hosts; nothing was stored',
    errors,
    hint: "name hosts as the cloud does, or leave the list empty for all of the cloud's hosts",
  });

/** A session without hosts would be one for all of them. @param labels the keys of the labels that hosts have */
export const noHostSelected = (selection: string, labels: readonly string[]): ApiError =>
  new ApiError({
    status: 422,
    code: 'NO_HOST_SELECTED',
    detail: `no host of the cloud is selected by ${selection}; nothing was stored`,
    errors: [
      { pointer: '/select', message: `selects no host; hosts have these labels: ${labels.join(', ') || 'none'}` },
    ],
    hint: 'select by labels that hosts have, and by values of them, or leave out fewer hosts',
  });

export const hostsInUse = (
  taken: readonly TakenHost[],
  { hosts: named = [], select }: Pick<CreateSessionBody, 'hosts' | 'select'>,
): ApiError => {
  const unnamed = select === undefined ? '/hosts' : '/select';
  return new ApiError({
    status: 400,
    code: 'HOSTS_IN_USE',
    detail: 'some of the hosts belong to another unfinished session; nothing was stored',
    errors: taken.map(({ hostname, sessionId }) => ({
      pointer: named.includes(hostname) ? `/hosts/${named.indexOf(hostname)}` : unnamed,
      message: `${hostname} belongs to session ${sessionId}`,
    })),
    hint: 'leave these hosts out, or finish or delete the session named in errors first',
  });
};
