/** The actions of the `kubernetes` cloud, in the words of the specification: a pod does not move, it is made again. */
import type { CloudActions } from '../../rules/cloud/cloud-facts';

export const kubernetesActions: CloudActions = {
  offered: ['EVICTION', 'OWN_ACTION'],
  migrationTypes: ['EVICTION', 'OWN_ACTION'],
  default: 'EVICTION',
  forced: 'EVICTION',
  hasEvictionOptions: true,
};
