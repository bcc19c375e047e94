/**
 * Capacity of the hosts in the simulated cloud: during a move, source and target both hold the instance. An own action
 * takes no capacity, as in a real cloud: only the replacement does, once its project has made it.
 */
import { Prisma } from '@prisma/client';
import type { Queryable } from '../../prisma/database';
import type { Amounts } from '../../rules/cloud/amounts';
import { simulatedAmounts, type SimulatedSize } from '../../rules/simulation/simulated-classes';
import { amountWords } from '../../rules/words/amount-words';

/** The size of a host, with its further resources by name. */
export type Size = Required<SimulatedSize>;

export interface HostUse {
  readonly name: string;
  readonly used: Amounts;
  /** Instances on the host. Incoming instances are not among them, but are counted in `used`. */
  readonly instances: number;
}

interface HeldRow extends Size {
  readonly host: string;
  readonly isResident: boolean;
}

/** A row of the fleet's tables, whose further amounts are JSON. */
type SizeRow = Omit<Size, 'amounts'> & { readonly amounts: unknown };

export const sizeOf = (row: SizeRow): Size => ({
  vcpus: row.vcpus,
  memoryMb: row.memoryMb,
  amounts: row.amounts as Amounts,
});

/** The same of a host, without what it does not offer for now. */
export const hostSizeOf = ({ lacking, ...row }: SizeRow & { readonly lacking: readonly string[] }): Size => {
  const { amounts, ...size } = sizeOf(row);
  return { ...size, amounts: Object.fromEntries(Object.entries(amounts).filter(([name]) => !lacking.includes(name))) };
};

/** The use of each host that holds anything, or only of one host when it is named. */
export const hostUse = async (db: Queryable, host?: string): Promise<HostUse[]> => {
  const rows = await db.$queryRaw<HeldRow[]>`
    SELECT host, vcpus, memory_mb AS "memoryMb", amounts, is_resident AS "isResident"
    FROM (
      SELECT host, vcpus, memory_mb, amounts, true AS is_resident FROM sim_instance
      UNION ALL
      SELECT move.target, instance.vcpus, instance.memory_mb, instance.amounts, false
      FROM sim_move AS move JOIN sim_instance AS instance USING (instance_key)
      WHERE move.status = 'running' AND move.action <> 'OWN_ACTION'
    ) AS held
    ${host === undefined ? Prisma.empty : Prisma.sql`WHERE held.host = ${host}`}`;
  return [...Map.groupBy(rows, (row) => row.host)].map(([name, held]) => ({
    name,
    used: held.map(simulatedAmounts).reduce(sumOf),
    instances: held.filter(({ isResident }) => isResident).length,
  }));
};

const sumOf = (one: Amounts, other: Amounts): Amounts => {
  const sum: Record<string, number> = { ...one };
  for (const [name, amount] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
};

/** The free capacity of the host; negative when it holds more than its capacity. */
export const capacityLeft = async (
  db: Queryable,
  host: { readonly name: string; readonly lacking: readonly string[] } & SizeRow,
): Promise<Amounts> => {
  const [use] = await hostUse(db, host.name);
  const used = Object.entries(use?.used ?? {}).map(([name, amount]) => [name, -amount] as const);
  return sumOf(simulatedAmounts(hostSizeOf(host)), Object.fromEntries(used));
};

/** True when there is as much free of everything. */
export const fits = (size: SimulatedSize, free: Amounts): boolean =>
  Object.entries(simulatedAmounts(size)).every(([name, amount]) => amount === 0 || amount <= (free[name] ?? 0));

/** Says for example "4 vcpus and 2048 MB of memory are needed, nothing is left". */
export const neededAndLeft = (size: SimulatedSize, free: Amounts): string => {
  const left = amountWords(free);
  return `${amountWords(simulatedAmounts(size))} are needed, ${left === '' ? 'nothing is' : `${left} are`} left`;
};
