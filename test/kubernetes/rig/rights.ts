/** Gives the user of the service the rights of clouds/kubernetes/rights/table.ts, and no others. */
import { rightsTable } from '../../../clouds/kubernetes/rights/table';
import { clientOf, type KubernetesAddresses } from './start-kubernetes';

export const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** Who gets the rights. */
export const serviceUser = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'parley' };

export const giveRights = async ({ adminKubeconfig }: KubernetesAddresses): Promise<void> => {
  const admin = clientOf(adminKubeconfig);
  const metadata = { name: 'parley' };
  const rules = rightsTable
    .filter(({ role }) => role === 'driver' || role === 'surge')
    .map(({ group, resource, verbs }) => ({ apiGroups: [group], resources: [resource], verbs }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'parley' };
  await admin.call({ method: 'POST', path: `${rbac}/clusterroles`, body: { metadata, rules } });
  const binding = { metadata, roleRef, subjects: [serviceUser] };
  await admin.call({ method: 'POST', path: `${rbac}/clusterrolebindings`, body: binding });
  await admin.close();
};
