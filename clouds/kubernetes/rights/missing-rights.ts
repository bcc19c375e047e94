/** Asks the API server which of the rights its login has (SelfSubjectAccessReview). It changes nothing. */
import type { MissingRight } from '../../../rules/cloud/cloud-facts';
import { parseAccessReview } from '../caller-reviews';
import type { KubernetesClient } from '../client/kubernetes-client';
import { type KubernetesRight, rightsTable, type Role, type Verb } from './table';

/** The rights of every session, and the one to delete pods where the settings allow that. */
export const findMissingRights = (
  client: KubernetesClient,
  { mayForce }: { readonly mayForce: boolean },
): Promise<readonly MissingRight[]> => {
  return findMissing(client, mayForce ? ['driver', 'deletePods'] : ['driver']);
};

/** The rights to raise the replicas of Deployments that ask for it. */
export const findMissingSurgeRights = (client: KubernetesClient): Promise<readonly MissingRight[]> =>
  findMissing(client, ['surge']);

const findMissing = async (client: KubernetesClient, roles: readonly Role[]): Promise<readonly MissingRight[]> => {
  const needed = rightsTable.filter(({ role }) => roles.includes(role));
  const asked = needed.flatMap((right) => right.verbs.map((verb) => ({ right, verb })));
  const missing = await Promise.all(
    asked.map(async (one) => ((await hasRight(client, one)) ? [] : [missingRight(one)])),
  );
  return missing.flat();
};

interface AskedRight {
  readonly right: KubernetesRight;
  readonly verb: Verb;
}

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const hasRight = async (client: KubernetesClient, { right, verb }: AskedRight): Promise<boolean> => {
  const [resource, subresource] = right.resource.split('/');
  const resourceAttributes = { group: right.group, resource, verb, ...(subresource !== undefined && { subresource }) };
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  };
  return parseAccessReview(await client.call({ method: 'POST', path, body: review })).status.allowed;
};

const missingRight = ({ right: { group, resource, neededTo, lost }, verb }: AskedRight): MissingRight => ({
  rule: `${verb} ${resource}${group === '' ? '' : `.${group}`}`,
  neededTo,
  severity: lost === undefined ? 'stops' : 'limits',
  ...(lost !== undefined && { lost }),
});
