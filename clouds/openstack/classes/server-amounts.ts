/** How much of each resource a server takes, by the names of placement. */
import type { Amounts } from '../../../rules/cloud/amounts';
import type { NovaServer } from '../nova/answers';
import { diskGb, resourceRequestOf } from './resource-request';

/**
 * What its host has nothing of, the server takes from somewhere else: storage that hosts share, for example. So that is
 * no amount of a host.
 */
const thatHostHas = (amounts: Amounts, host: Amounts | undefined): Amounts =>
  Object.fromEntries(
    Object.entries(amounts).filter(([name, amount]) => amount > 0 && (host === undefined || (host[name] ?? 0) > 0)),
  );

/** @param host the amounts of its host; undefined: unknown */
export const amountsOfServer = (server: NovaServer, host: Amounts | undefined): Amounts => {
  const sum: Record<string, number> = {};
  for (const { amounts } of resourceRequestOf(server).values()) {
    for (const [name, amount] of Object.entries(amounts)) sum[name] = (sum[name] ?? 0) + amount;
  }
  return thatHostHas(sum, host);
};

/** Amounts in the resources that Nova itself counts for a hypervisor: it makes no difference between processors. */
export const amountsToldByNova = (server: NovaServer): Amounts => {
  const { vcpus, ram } = server.flavor;
  return thatHostHas({ VCPU: vcpus, MEMORY_MB: ram, DISK_GB: diskGb(server) }, undefined);
};
