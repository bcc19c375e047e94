/** Reads Nova's aggregates, where the login may: all goes on without them. */
import { ServiceError } from '../http/service-error';
import type { NovaApi } from '../nova/nova-api';
import { type HostAggregates, hostAggregatesFrom } from './aggregates';

export const readAggregates = async (nova: Pick<NovaApi, 'listAggregates'>): Promise<HostAggregates | undefined> => {
  try {
    return hostAggregatesFrom(await nova.listAggregates());
  } catch (error) {
    if (error instanceof ServiceError && error.status === 403) return undefined;
    throw error;
  }
};
