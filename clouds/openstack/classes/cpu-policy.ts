/** Which processors a server takes: shared ones (VCPU), dedicated ones (PCPU), or some of each. */
import type { NovaServer } from '../nova/answers';
import { imagePropertiesOf } from './server-image';

/** An image says so in place of the flavor, never against it. */
export const cpuAmounts = (server: NovaServer): Readonly<Record<string, number>> => {
  const { vcpus, extra_specs: specs = {} } = server.flavor;
  const image = imagePropertiesOf(server) ?? {};
  const forEmulator = specs['hw:emulator_threads_policy'] === 'isolate' ? 1 : 0;
  const policy = specs['hw:cpu_policy'] ?? image['hw_cpu_policy'];
  if (policy === 'dedicated') return { PCPU: vcpus + forEmulator };
  if (policy !== 'mixed') return { VCPU: vcpus };
  const realtime = image['hw_cpu_realtime_mask'] ?? specs['hw:cpu_realtime_mask'];
  const dedicated = countInMask(specs['hw:cpu_dedicated_mask'] ?? realtime ?? '', vcpus);
  return { VCPU: vcpus - dedicated, PCPU: dedicated + forEmulator };
};

/** Bound of the processors that are counted: no host has more, and a flavor may name more than a list has room for. */
const mostCounted = 65_536;

/**
 * A mask lists numbers and ranges, and exceptions with ^: "0-5,^2". One that begins with an exception means all others.
 */
const countInMask = (mask: string, vcpus: number): number => {
  const rules = mask.split(',').map((rule) => rule.trim());
  const all = Array.from({ length: Math.min(vcpus, mostCounted) }, (_, cpu) => cpu);
  const chosen = new Set(rules[0]?.startsWith('^') ? all : []);
  for (const rule of rules.filter((one) => !one.startsWith('^'))) {
    for (const cpu of all.filter((one) => isIn(rule, one))) chosen.add(cpu);
  }
  for (const rule of rules.filter((one) => one.startsWith('^'))) {
    for (const cpu of all.filter((one) => isIn(rule.slice(1), one))) chosen.delete(cpu);
  }
  return chosen.size;
};

const isIn = (range: string, cpu: number): boolean => {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
  return from !== undefined && Number(from) <= cpu && cpu <= Number(to);
};
