/** The words for amounts of resources, whatever cloud they come from. */

const words: Readonly<Record<string, (amount: string) => string>> = {
  VCPU: (amount) => `${amount} vcpus`,
  PCPU: (amount) => `${amount} dedicated processors (PCPU)`,
  MEMORY_MB: (amount) => `${amount} MB of memory`,
  DISK_GB: (amount) => `${amount} GB of disk`,
};

/** Says for example "4 vcpus, 2048 MB of memory and 1 CUSTOM_FPGA"; empty where there is nothing of anything. */
export const amountWords = (amounts: Readonly<Record<string, number>>): string =>
  joined(
    Object.entries(amounts)
      .filter(([, amount]) => amount > 0)
      .map(([name, amount]) => words[name]?.(String(amount)) ?? `${String(amount)} ${name}`),
  );

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
