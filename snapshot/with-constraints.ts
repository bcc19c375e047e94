/** The instances of the cloud with the constraints that projects have stored for them. */
import type { StoredInstanceConstraint } from '../prisma/constraints/constraints-for-decisions';
import type { CloudInstance } from '../rules/cloud/cloud-facts';
import { ownGroupAlone, type WorkedOutLimits } from '../rules/constraints/work-out-limits';
import { fieldsOfCloud, type Instance } from '../rules/decisions/fleet/fleet';
import { defaultActionOf } from '../rules/questions/action-by-answer';
import type { CloudSnapshot } from './look-at-cloud';

/** The instances with what is stored of them, in the same order. */
export const withConstraints = (
  instances: readonly CloudInstance[],
  constraints: readonly StoredInstanceConstraint[],
  { limitedOf, actions }: Pick<WorkedOutLimits, 'limitedOf'> & Pick<CloudSnapshot, 'actions'>,
): Instance[] => {
  const stored = new Map(constraints.map((constraint) => [constraint.instanceId, constraint]));
  return instances.map((instance) => {
    const constraint = stored.get(instance.instanceId);
    return {
      id: instance.instanceId,
      name: instance.instanceName,
      projectId: instance.projectId,
      host: instance.host,
      amounts: instance.amounts,
      ...(limitedOf.get(instance.instanceId) ?? ownGroupAlone(instance.instanceId)),
      defaultAction: defaultActionOf(actions, constraint?.migrationType),
      ...(constraint
        ? { migrationType: constraint.migrationType, leadTimeSeconds: constraint.leadTime }
        : toldBy(instance)),
      ...asTheCloudTells(instance),
      departure: instance.departure,
    };
  });
};

const asTheCloudTells = (instance: CloudInstance): Pick<Instance, (typeof fieldsOfCloud)[number]> =>
  Object.fromEntries(
    fieldsOfCloud.flatMap((field) => (instance[field] === undefined ? [] : [[field, instance[field]]])),
  );

/** What counts where no constraints are stored. */
const toldBy = ({ leadTimeSeconds, wantsQuestions }: CloudInstance): Partial<Instance> => ({
  ...(leadTimeSeconds !== undefined && { leadTimeSeconds }),
  ...(wantsQuestions && { wantsQuestions }),
});
