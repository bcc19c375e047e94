/**
 * The capacity of the hosts. Placement knows the part of a host that Nova may use (reserved, overcommitted), of every
 * resource. Where it tells nothing the hypervisor's own size counts. Sizes change rarely, so they are kept for a while.
 */
import type { Amounts } from '../../../rules/cloud/amounts';
import type { NovaHypervisor } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';
import type { PlacementApi } from '../nova/placement-api';
import { joinTrees, type ProviderTree, readProviderTrees, sumOfAmounts } from './provider-trees';

export interface HostSize extends ProviderTree {
  /** The IDs of the host's hypervisors in Nova and placement: several where a service has several bare-metal nodes. */
  readonly hypervisorIds: readonly string[];
  readonly hypervisorType: string;
  /** Who told the amounts. Nova knows no more than VCPU, MEMORY_MB and DISK_GB. */
  readonly toldBy: 'placement' | 'nova';
}

export interface Capacities {
  /** Sizes by the name of the compute service's host. A host is missing when Nova has no hypervisor for it yet. */
  sizes(hosts: readonly string[]): Promise<ReadonlyMap<string, HostSize>>;
  /**
   * The free capacity of a host at present, without resources of which nobody tells how much is used; undefined when
   * its hypervisor is gone.
   */
  capacityLeft(host: HostSize): Promise<Amounts | undefined>;
}

export interface CapacitySources {
  readonly nova: NovaApi;
  readonly placement: PlacementApi;
  readonly nowMs?: () => number;
}

const keepMs = 5 * 60_000;
/** Looks again for a host that has come up lately, and for placement that did not answer. */
const keepUnsureMs = 20_000;

type Sizes = ReadonlyMap<string, HostSize>;

export const createCapacities = (sources: CapacitySources): Capacities => {
  const { nova, placement, nowMs = Date.now } = sources;
  let kept: { readonly sizes: Promise<Sizes>; readonly readAtMs: number } | undefined;
  let isUnsure = false;
  const keep = (): Promise<Sizes> => {
    const before = kept?.sizes.catch(() => undefined);
    const sizes = Promise.resolve(before).then((known) => readSizes(sources, known));
    const reading = { sizes, readAtMs: nowMs() };
    kept = reading;
    void sizes.then(
      () => {
        isUnsure = placement.isAway();
      },
      () => undefined,
    );
    sizes.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return sizes;
  };
  return {
    async sizes(hosts) {
      if (kept === undefined || nowMs() >= kept.readAtMs + keepMs) return keep();
      const known = await kept.sizes;
      const isToRepeat = isUnsure || hosts.some((host) => !known.has(host));
      return isToRepeat && nowMs() >= kept.readAtMs + keepUnsureMs ? keep() : known;
    },
    async capacityLeft({ hypervisorIds, providerIds, amounts }) {
      const told = await Promise.all(providerIds.map((id) => placement.usagesOf(id)));
      const used = sumOfKnown(told) ?? sumOfKnown(await Promise.all(hypervisorIds.map((id) => ownUsage(nova, id))));
      return used && minus(amounts, used);
    },
  };
};

/** @param known the sizes of before, which count while placement does not answer */
const readSizes = async ({ nova, placement }: CapacitySources, known: Sizes | undefined): Promise<Sizes> => {
  const hypervisors = await nova.listHypervisors();
  const ids = hypervisors.map(({ id }) => id);
  const trees = await readProviderTrees(placement, ids);
  const sizeOf = (host: string, own: readonly NovaHypervisor[]): HostSize => {
    const hypervisorIds = own.map(({ id }) => id);
    const about = { hypervisorIds, hypervisorType: own[0]?.hypervisor_type ?? '' };
    const told = hypervisorIds.flatMap((id) => trees.get(id) ?? []);
    if (told.length === own.length) return { ...joinTrees(told), ...about, toldBy: 'placement' };
    const before = placement.isAway() ? known?.get(host) : undefined;
    const amounts = sumOfAmounts(own.map(ownSize));
    return before ?? { ...about, providerIds: hypervisorIds, amounts, toldBy: 'nova' };
  };
  const byHost = Map.groupBy(hypervisors, ({ service }) => service.host);
  return new Map([...byHost].map(([host, own]) => [host, sizeOf(host, own)]));
};

const ownSize = ({ vcpus, memory_mb, local_gb }: NovaHypervisor): Amounts =>
  knownOf({ VCPU: vcpus, MEMORY_MB: memory_mb, DISK_GB: local_gb });

/** An amount that Nova leaves out counts as none: a host that may be too small is no target. */
const knownOf = (told: Readonly<Record<string, number | null | undefined>>): Amounts =>
  Object.fromEntries(Object.entries(told).flatMap(([name, amount]) => (amount == null ? [] : [[name, amount]])));

const ownUsage = async (nova: NovaApi, hypervisorId: string): Promise<Amounts | undefined> => {
  const hypervisor = await nova.findHypervisor(hypervisorId);
  if (hypervisor === undefined) return undefined;
  const { vcpus_used, memory_mb_used, local_gb_used } = hypervisor;
  return knownOf({ VCPU: vcpus_used, MEMORY_MB: memory_mb_used, DISK_GB: local_gb_used });
};

/** Undefined: one of them is not known. */
const sumOfKnown = (all: readonly (Amounts | undefined)[]): Amounts | undefined => {
  const known = all.filter((each) => each !== undefined);
  return known.length < all.length ? undefined : sumOfAmounts(known);
};

const minus = (whole: Amounts, used: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries(whole).flatMap(([name, amount]) => {
      const usedOfIt = used[name];
      return usedOfIt === undefined ? [] : [[name, amount - usedOfIt]];
    }),
  );
