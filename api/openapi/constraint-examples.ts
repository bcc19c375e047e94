/** Examples of the bodies about constraints. */
import { groupId, instanceId, projectId } from './example-ids';

const instanceConstraints = {
  instance_id: instanceId,
  project_id: projectId,
  group_id: groupId,
  instance_name: 'vnf-2',
  max_interruption_time: 120,
  migration_type: 'LIVE_MIGRATE',
  resource_mitigation: true,
  lead_time: 30,
};

const groupConstraints = {
  group_id: groupId,
  project_id: projectId,
  group_name: 'vnf-nonha',
  anti_affinity_group: false,
  max_instances_per_host: 0,
  max_impacted_members: 2,
  recovery_time: 10,
  resource_mitigation: true,
};

export const constraintExamples = {
  InstanceConstraints: instanceConstraints,
  GroupConstraints: groupConstraints,
  GroupRecord: { ...groupConstraints, instance_ids: [instanceId] },
  ManyConstraints: { instance_groups: [groupConstraints], instances: [{ ...instanceConstraints, lead_time: -1 }] },
  StoredConstraints: {
    stored: 1,
    failed: [
      {
        pointer: '/instances/0',
        problem: {
          type: 'urn:parley:problem:body-does-not-fit',
          title: 'Not in line with the resource',
          status: 422,
          code: 'BODY_DOES_NOT_FIT',
          detail: 'the body is not in line with the resource schema; nothing was changed',
          errors: [{ pointer: '/instances/0/lead_time', message: 'must be at least 0' }],
          hint: 'Correct the fields that errors names, and send the request again',
        },
      },
    ],
  },
};
