/** The names of the instances that are on each host, or that will leave a host to come. */
import type { HostsInTime, Plan } from '../client/types';
import { byNaturalOrder } from '../parts/natural-order';

const underWork: ReadonlySet<string> = new Set(['emptying', 'maintaining', 'releasing']);

/** The look at the hosts has the instances of hosts under work alone; the plan knows which leave the others. */
export const instancesByHost = (
  { hosts, instances }: Pick<HostsInTime, 'hosts' | 'instances'>,
  plan: Pick<Plan, 'moves'> | undefined,
): ReadonlyMap<string, readonly string[]> => {
  const now = namesByHost(instances.map(({ host, instance_name: name }) => ({ host, name })));
  const toCome = namesByHost((plan?.moves ?? []).map(({ host, instance_name: name }) => ({ host, name })));
  return new Map(
    hosts.map(({ hostname, phase }) => {
      const names = underWork.has(phase) ? now : phase === 'waiting' ? toCome : undefined;
      return [hostname, names?.get(hostname) ?? []];
    }),
  );
};

interface OnHost {
  readonly host: string;
  readonly name: string;
}

const namesByHost = (all: readonly OnHost[]): ReadonlyMap<string, readonly string[]> => {
  const byHost = new Map<string, string[]>();
  for (const { host, name } of all) byHost.set(host, [...(byHost.get(host) ?? []), name]);
  for (const names of byHost.values()) names.sort(byNaturalOrder);
  return byHost;
};
