/** Fleet files as they are on the wire (clouds/simulated/fleet-schema.ts): valid, and as small as the case allows. */
import type {
  WireFleet,
  WireGroup,
  WireHost,
  WireInstance,
  WireServerGroup,
} from '../../clouds/simulated/fleet-schema';

/** A UUID that tests can recognize: its last digits are the number. */
export const uuidNumber = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const aFleetHost = (given: Partial<WireHost> = {}): WireHost => ({
  name: 'compute-1',
  type: 'compute',
  vcpus: 16,
  memory_mb: 65_536,
  maintain: true,
  maintenance_s: 60,
  ...given,
});

export const aFleetGroup = (given: Partial<WireGroup> = {}): WireGroup => ({
  group_id: uuidNumber(500),
  project_id: uuidNumber(900),
  group_name: 'web',
  anti_affinity_group: true,
  max_instances_per_host: 1,
  max_impacted_members: 1,
  recovery_time: 30,
  resource_mitigation: true,
  ...given,
});

/** A group of the cloud's own, with the ID of `aFleetGroup`, that keeps the first instance apart from others. */
export const aServerGroup = (given: Partial<WireServerGroup> = {}): WireServerGroup => ({
  server_group_id: uuidNumber(500),
  server_group_name: 'apart',
  project_id: uuidNumber(900),
  policy: 'anti-affinity',
  instance_ids: [uuidNumber(1)],
  ...given,
});

/** An instance without a group and constraints. */
export const aFleetInstance = (given: Partial<WireInstance> = {}): WireInstance => ({
  instance_id: uuidNumber(1),
  instance_name: 'web-1',
  project_id: uuidNumber(900),
  host: 'compute-1',
  vcpus: 2,
  memory_mb: 4096,
  move_s: 10,
  ...given,
});

/** An instance of `aFleetGroup` whose project stores constraints. */
export const aConstrainedInstance = (given: Partial<WireInstance> = {}): WireInstance =>
  aFleetInstance({
    group_id: uuidNumber(500),
    migration_type: 'LIVE_MIGRATE',
    lead_time: 20,
    max_interruption_time: 40,
    resource_mitigation: true,
    ready_s: 5,
    ...given,
  });

/** Two compute hosts, one instance. */
export const aFleetFile = (given: Partial<WireFleet> = {}): WireFleet => ({
  name: 'test',
  seed: 1,
  hosts: [aFleetHost(), aFleetHost({ name: 'compute-2' })],
  groups: [],
  instances: [aFleetInstance()],
  ...given,
});
