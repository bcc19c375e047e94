/** Passes constraints on to instances that have taken the places of others, before anything is decided about them. */
import { passOnConstraints } from '../../prisma/constraints/pass-on-constraints';
import type { CloudInstance } from '../../rules/cloud/cloud-facts';
import type { Services } from '../services';

/** @param instances all that the cloud lists */
export const passOn = async (
  { db, logger }: Pick<Services, 'db' | 'logger'>,
  instances: readonly CloudInstance[],
): Promise<void> => {
  for (const { from, to } of await passOnConstraints(db, instances)) {
    logger.info({ what: 'constraints passed on', instanceId: to, formerInstanceId: from }, 'constraints passed on');
  }
};
