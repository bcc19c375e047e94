/** Looks at what hosts offer: sizes, which are kept for minutes, and aggregates, which may change at any time. */
import { createRecent } from '../../../calls/recent';
import type { Capacities } from '../hosts/capacity';
import type { NovaApi } from '../nova/nova-api';
import type { FleetLook } from './fleet-look';
import { readAggregates } from './read-aggregates';

/** @param hosts the names of all computes, where the caller has listed them: for new ones sizes are read again */
export type LookAtFleet = (hosts?: readonly string[]) => Promise<FleetLook>;

export interface FleetSources {
  readonly nova: NovaApi;
  readonly capacities: Capacities;
  /** See NeedsSources. */
  readonly keepsZones: boolean;
}

/** A session looks every few seconds: one list more at each look would be a tenth more of Nova's work for it. */
const keepMs = 30_000;

export const createLookAtFleet = ({ nova, capacities, keepsZones }: FleetSources): LookAtFleet => {
  const recent = createRecent({ read: () => readAggregates(nova), keepMs });
  return async (hosts = []) => {
    const [sizes, aggregates] = await Promise.all([capacities.sizes(hosts), recent.get()]);
    return { sizes, aggregates, keepsZones };
  };
};
