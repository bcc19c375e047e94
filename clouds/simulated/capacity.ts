/**
 * Capacity of the hosts in the simulated cloud: during a move, source and target both hold the instance. An own action
 * takes no capacity, as in a real cloud: only the replacement does, once its project has made it.
 */
import { Prisma } from '@prisma/client';
import type { Queryable } from '../../prisma/database';

export interface Size {
  readonly vcpus: number;
  readonly memoryMb: number;
}

export interface HostUse {
  readonly name: string;
  readonly used: Size;
  /** Instances on the host. Incoming instances are not among them, but are counted in `used`. */
  readonly instances: number;
}

interface UseRow {
  name: string;
  vcpus: number;
  memory_mb: number;
  instances: number;
}

/** The use of each host that holds anything, or only of one host when it is named. */
export const hostUse = async (db: Queryable, host?: string): Promise<HostUse[]> => {
  const rows = await db.$queryRaw<UseRow[]>`
    SELECT held.host AS name, SUM(held.vcpus)::float8 AS vcpus, SUM(held.memory_mb)::float8 AS memory_mb,
           COUNT(*) FILTER (WHERE held.resident)::int AS instances
    FROM (
      SELECT host, vcpus, memory_mb, true AS resident FROM sim_instance
      UNION ALL
      SELECT move.target, instance.vcpus, instance.memory_mb, false
      FROM sim_move AS move JOIN sim_instance AS instance USING (instance_key)
      WHERE move.status = 'running' AND move.action <> 'OWN_ACTION'
    ) AS held
    ${host === undefined ? Prisma.empty : Prisma.sql`WHERE held.host = ${host}`}
    GROUP BY held.host`;
  return rows.map((row) => ({
    name: row.name,
    used: { vcpus: row.vcpus, memoryMb: row.memory_mb },
    instances: row.instances,
  }));
};

/** The free capacity of the host; negative when it holds more than its capacity. */
export const capacityLeft = async (db: Queryable, host: { readonly name: string } & Size): Promise<Size> => {
  const [use] = await hostUse(db, host.name);
  return {
    vcpus: host.vcpus - (use?.used.vcpus ?? 0),
    memoryMb: host.memoryMb - (use?.used.memoryMb ?? 0),
  };
};

export const fits = (size: Size, free: Size): boolean => size.vcpus <= free.vcpus && size.memoryMb <= free.memoryMb;
