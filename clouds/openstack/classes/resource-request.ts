/**
 * What Nova asks placement for when it looks for a host for a server: amounts and traits, in groups. By Nova's own
 * source (scheduler/utils.py, ResourceRequest), from the flavor and the image as the server itself carries them, so a
 * flavor that was deleted counts all the same.
 */
import type { NovaServer } from '../nova/answers';
import { cpuAmounts } from './cpu-policy';
import { imagePropertiesOf, isBootedFromVolume } from './server-image';

export interface ResourceGroup {
  readonly amounts: Record<string, number>;
  readonly required: Set<string>;
  readonly forbidden: Set<string>;
}

/** Groups by suffix: '' for what any providers of a host may give together, others for what one provider must give. */
export type ResourceRequest = ReadonlyMap<string, ResourceGroup>;

const specPattern = /^(resources|trait)([a-zA-Z0-9_-]{1,64})?:(.*)$/;

const aGroup = (): ResourceGroup => ({ amounts: {}, required: new Set(), forbidden: new Set() });

export const resourceRequestOf = (server: NovaServer): ResourceRequest => {
  const groups = new Map<string, ResourceGroup>([['', aGroup()]]);
  const group = (suffix: string): ResourceGroup => {
    const known = groups.get(suffix) ?? aGroup();
    groups.set(suffix, known);
    return known;
  };
  const specs = server.flavor.extra_specs ?? {};
  for (const [key, value] of [...Object.entries(specs), ...traitsOfImage(server)]) {
    const [, kind, suffix = '', name = ''] = specPattern.exec(key) ?? [];
    if (kind === 'trait') addTrait(group(suffix), name, value);
    if (kind === 'resources') addAmount(group(suffix), name, value);
  }
  addUsual(groups, server);
  return groups;
};

/** Granular groups are not known to images. */
const traitsOfImage = (server: NovaServer): [string, string][] =>
  Object.entries(imagePropertiesOf(server) ?? {}).filter(([key]) => key.startsWith('trait:'));

const addTrait = ({ required, forbidden }: ResourceGroup, trait: string, value: string): void => {
  if (value === 'required') required.add(trait);
  if (value === 'forbidden') forbidden.add(trait);
};

/** Nova ignores what is no amount, with a warning in its log. */
const addAmount = ({ amounts }: ResourceGroup, name: string, value: string): void => {
  if (/^\d{1,9}$/.test(value)) amounts[name] = Number(value);
};

/** What the flavor says by its fields counts where its extra specs say nothing of it. */
const addUsual = (groups: ReadonlyMap<string, ResourceGroup>, server: NovaServer): void => {
  const { amounts, required, forbidden } = groups.get('') ?? aGroup();
  const isNamed = (name: string) => [...groups.values()].some((one) => name in one.amounts);
  const threads = threadTraits[server.flavor.extra_specs?.['hw:cpu_thread_policy'] ?? ''];
  if (threads === 'required') required.add('HW_CPU_HYPERTHREADING');
  if (threads === 'forbidden') forbidden.add('HW_CPU_HYPERTHREADING');
  if (!isNamed('VCPU') && !isNamed('PCPU')) Object.assign(amounts, cpuAmounts(server));
  if (!isNamed('MEMORY_MB')) amounts['MEMORY_MB'] = server.flavor.ram;
  if (!isNamed('DISK_GB')) amounts['DISK_GB'] = diskGb(server);
};

const threadTraits: Readonly<Record<string, 'required' | 'forbidden' | undefined>> = {
  isolate: 'forbidden',
  require: 'required',
};

export const diskGb = (server: NovaServer): number => {
  const { disk = 0, ephemeral = 0, swap } = server.flavor;
  const swapMb = typeof swap === 'number' ? swap : 0; // Nova once wrote '' for none
  return (isBootedFromVolume(server) ? 0 : disk) + ephemeral + Math.ceil(swapMb / 1024);
};
