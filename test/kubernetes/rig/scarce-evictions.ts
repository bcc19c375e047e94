/**
 * Has the API server's priority and fairness take one eviction of the service at a time, and reject all others. A
 * priority level without shares still serves a request when it serves no other.
 */
import type { KubernetesClient } from '../../../clouds/kubernetes/client/kubernetes-client';
import { eventually } from '../../waiting/eventually';
import { serviceUser } from './rights';

const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';
const name = 'scarce-evictions';

interface TakenUp {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** @returns a function that takes it back */
export const makeEvictionsScarce = async (admin: KubernetesClient): Promise<() => Promise<void>> => {
  const limited = {
    ...{ nominalConcurrencyShares: 0, lendablePercent: 0, borrowingLimitPercent: 0 },
    limitResponse: { type: 'Reject' },
  };
  const levels = `${flowControl}/prioritylevelconfigurations`;
  const schemas = `${flowControl}/flowschemas`;
  await admin.call({ method: 'POST', path: levels, body: { metadata: { name }, spec: { type: 'Limited', limited } } });
  const evictions = { verbs: ['create'], apiGroups: [''], resources: ['pods/eviction'], namespaces: ['*'] };
  const rule = { subjects: [{ kind: 'User', user: { name: serviceUser.name } }], resourceRules: [evictions] };
  const spec = { priorityLevelConfiguration: { name }, matchingPrecedence: 2, rules: [rule] };
  await admin.call({ method: 'POST', path: schemas, body: { metadata: { name }, spec } });
  await eventually('the API server has taken the schema up', async () => {
    const { status } = (await admin.call({ method: 'GET', path: `${schemas}/${name}` })) as TakenUp;
    return status?.conditions?.some(({ type, status: is }) => type === 'Dangling' && is === 'False') || undefined;
  });
  return async () => {
    for (const path of [schemas, levels]) await admin.call({ method: 'DELETE', path: `${path}/${name}` });
  };
};
