/**
 * Parts of one fleet that do not meet, so that sessions of one test file run side by side without disturbing each
 * other: hosts of one zone have no capacity for the instances of another. The higher a zone's number, the more vcpus
 * and the less memory its slot has; a host has 7 slots at most, so eight times a slot fits on no host of a lower or
 * higher zone.
 */
import type {
  WireFleet,
  WireGroup,
  WireHost,
  WireInstance,
  WireServerGroup,
} from '../../clouds/simulated/fleet-schema';
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, aServerGroup, uuidNumber } from './a-fleet-file';

const highestZone = 9;

type GivenHost = Partial<Omit<WireHost, 'name'>> & { readonly slots?: number };
type GivenInstance = Partial<Omit<WireInstance, 'host' | 'group_id'>> & {
  readonly slots?: number;
  readonly project?: number;
  /** Number of the group; sets constraints with a lead time of 6 s. */
  readonly group?: number;
};

export interface Zone {
  readonly hosts: readonly WireHost[];
  readonly groups: readonly WireGroup[];
  readonly serverGroups: readonly WireServerGroup[];
  readonly instances: readonly WireInstance[];
  readonly hostNames: readonly string[];
  /** Name of a host of the zone: hosts of different zones may be called alike here. */
  readonly host: (name: string) => string;
  readonly project: (number: number) => string;
  readonly instance: (number: number) => string;
  readonly group: (number: number) => string;
  /** The size of an instance of this zone. */
  readonly slot: { readonly vcpus: number; readonly memory_mb: number };
}

export interface ZoneGiven {
  /** The hosts by name, each with 4 slots. */
  readonly hosts: Readonly<Record<string, GivenHost>>;
  /** The instances by number, each with the name of its host; of project 1 and one slot. */
  readonly instances?: readonly (readonly [number: number, host: string, given?: GivenInstance])[];
  /** The groups by number. */
  readonly groups?: Readonly<Record<number, Partial<WireGroup> & { readonly project?: number }>>;
  /** Groups of the cloud's own, of project 1: by number, with the numbers of their members. */
  readonly serverGroups?: Readonly<Record<number, Partial<WireServerGroup> & { readonly members: readonly number[] }>>;
}

/** @param number 0 to 9 */
export const aZone = (number: number, { hosts, instances = [], groups = {}, serverGroups = {} }: ZoneGiven): Zone => {
  const slot = { vcpus: 8 ** number, memory_mb: 8 ** (highestZone - number) };
  const idOf = (kind: number, n: number): string => uuidNumber((number + 1) * 10_000 + kind + n);
  const host = (name: string): string => `z${number}-${name}`;
  // Keystone writes the IDs of projects in this form.
  const project = (n: number): string => idOf(900, n).replaceAll('-', '');
  const instance = (n: number): string => idOf(0, n);
  const group = (n: number): string => idOf(500, n);
  const sizeOf = (slots: number) => ({ vcpus: slots * slot.vcpus, memory_mb: slots * slot.memory_mb });
  const wireHosts = Object.entries(hosts).map(([name, { slots = 4, ...given }]) =>
    aFleetHost({ name: host(name), ...sizeOf(slots), maintenance_s: 30, ...given }),
  );
  return {
    hosts: wireHosts,
    groups: Object.entries(groups).map(([n, { project: of = 1, ...given }]) =>
      aFleetGroup({
        group_id: group(Number(n)),
        project_id: project(of),
        group_name: `group-${number}-${n}`,
        ...given,
      }),
    ),
    serverGroups: Object.entries(serverGroups).map(([n, { members, ...given }]) =>
      aServerGroup({
        server_group_id: group(Number(n)),
        server_group_name: `server-group-${number}-${n}`,
        project_id: project(1),
        instance_ids: members.map(instance),
        ...given,
      }),
    ),
    instances: instances.map(([n, on, { slots = 1, project: of = 1, group: member, ...given } = {}]) =>
      aFleetInstance({
        instance_id: instance(n),
        instance_name: `vm-${number}-${n}`,
        project_id: project(of),
        host: host(on),
        move_s: 20,
        ...sizeOf(slots),
        ...(member !== undefined && { group_id: group(member), ...constraints }),
        ...given,
      }),
    ),
    hostNames: wireHosts.map(({ name }) => name),
    host,
    project,
    instance,
    group,
    slot,
  };
};

/** Two full hosts: none can be drained before two instances are gone. */
export const aTightZone = (number: number): Zone =>
  aZone(number, {
    hosts: { a: { slots: 2 }, b: { slots: 2 } },
    instances: [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
      [4, 'b'],
    ],
  });

const constraints = {
  migration_type: 'LIVE_MIGRATE',
  lead_time: 6,
  max_interruption_time: 15,
  resource_mitigation: false,
} as const;

export const aFleetOfZones = (zones: readonly Zone[]): WireFleet =>
  aFleetFile({
    hosts: zones.flatMap(({ hosts }) => hosts),
    groups: zones.flatMap(({ groups }) => groups),
    server_groups: zones.flatMap(({ serverGroups }) => serverGroups),
    instances: zones.flatMap(({ instances }) => instances),
  });
