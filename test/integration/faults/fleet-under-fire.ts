/** Three hosts, six instances of two projects: every one has to be drained, onto the others. */
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';

export const projectIds = [uuidNumber(901), uuidNumber(902)] as const;

const groupId = uuidNumber(501);
const actions = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'] as const;

/** The answer of the instance's manager: each action is chosen for some instances. */
export const actionFor = (instanceId: string): string => actions[Number(instanceId.slice(-3)) % actions.length]!;

const instanceNumbers = [1, 2, 3, 4, 5, 6];

/** Odd ones are in a group with constraints, which recovers for a second; of the others nothing is stored. */
const membership = (number: number) =>
  number % 2 === 0
    ? { project_id: projectIds[1] }
    : {
        project_id: projectIds[0],
        group_id: groupId,
        migration_type: 'LIVE_MIGRATE' as const,
        lead_time: 20,
        max_interruption_time: 20,
        resource_mitigation: false,
      };

export const fleetUnderFire = aFleetFile({
  hosts: [1, 2, 3].map((number) => aFleetHost({ name: `compute-${number}`, maintenance_s: 25 })),
  groups: [
    aFleetGroup({
      group_id: groupId,
      project_id: projectIds[0],
      anti_affinity_group: false,
      max_instances_per_host: 0,
      max_impacted_members: 2,
      recovery_time: 1,
    }),
  ],
  instances: instanceNumbers.map((number) =>
    aFleetInstance({
      instance_id: uuidNumber(number),
      instance_name: `vm-${number}`,
      host: `compute-${(number % 3) + 1}`,
      // a second of real time
      move_s: 50,
      ...membership(number),
    }),
  ),
});
