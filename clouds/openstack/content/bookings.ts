/**
 * Whom placement books amounts for on a host. A consumer is a server; or a migration, which holds the amounts on the
 * host that a server leaves until its move is finished and, after a resize, confirmed.
 */
import { fewAtOnce } from '../../../calls/few-at-once';
import type { ServiceClient } from '../http/service-client';
import { ServiceError } from '../http/service-error';
import { parseAllocations } from '../nova/answers';

/**
 * - known: the IDs of the consumers.
 * - hidden: the service cannot ask placement, or may not.
 * - missing: placement does not know the host, so it tells nothing about it.
 */
export type Bookings =
  | { readonly kind: 'known'; readonly consumerIds: readonly string[] }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'missing' };

/** Finds the bookings with all hypervisors of a host. */
export const findAllBookings = async (
  client: ServiceClient | undefined,
  hypervisorIds: readonly string[],
): Promise<Bookings> => {
  const all = await fewAtOnce(hypervisorIds, (id) => findBookings(client, id));
  const untold = all.find(({ kind }) => kind !== 'known');
  return untold ?? { kind: 'known', consumerIds: all.flatMap((one) => (one.kind === 'known' ? one.consumerIds : [])) };
};

const findBookings = async (client: ServiceClient | undefined, hypervisorId: string): Promise<Bookings> => {
  if (client === undefined) return { kind: 'hidden' };
  try {
    const answer = await client.call({ method: 'GET', path: `/resource_providers/${hypervisorId}/allocations` });
    return { kind: 'known', consumerIds: Object.keys(parseAllocations(answer.body).allocations) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 403) return { kind: 'hidden' };
    if (error.status === 404) return { kind: 'missing' };
    throw error;
  }
};
