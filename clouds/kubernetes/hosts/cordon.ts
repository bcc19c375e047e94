/**
 * Disables and enables a host: cordons and uncordons its node. An annotation says that the cordon is the service's own,
 * and why. The node's version is a precondition of each change, so nothing is written over what somebody else does at
 * the same moment. A cordon of somebody else stays, also one that came after the service's own was undone by hand.
 */
import { CloudRefusal } from '../../cloud-driver';
import { apiGroup } from '../api-group';
import { fieldManager, type KubernetesClient } from '../client/kubernetes-client';
import { isStatus } from '../client/kubernetes-error';
import { type Node, nodes } from '../objects/nodes';

/** Holds the reason of the service's own cordon. */
export const cordonAnnotation = `${apiGroup}/cordon`;

const ownReason = (node: Node): string | undefined =>
  isCordonedByOther(node) ? undefined : node.metadata.annotations?.[cordonAnnotation];

/** True when the API server keeps that only others have set it. Whoever repeats a cordon changes nothing. */
const isCordonedByOther = ({ metadata: { managedFields = [] } }: Node): boolean => {
  const setBy = managedFields.filter(({ fieldsV1 }) => fieldsV1?.['f:spec']?.['f:unschedulable'] !== undefined);
  return setBy.length > 0 && setBy.every(({ manager }) => manager !== fieldManager);
};

/** The reason why a node is cordoned, for people. */
export const cordonReason = (node: Node): string => ownReason(node) ?? 'cordoned by somebody else';

/** @throws CloudRefusal */
export const cordon = async (client: KubernetesClient, host: string, reason: string): Promise<void> =>
  changeNode(client, host, (node) =>
    node.spec.unschedulable === true ? undefined : { spec: { unschedulable: true }, annotation: reason },
  );

/** Leaves a cordon of somebody else as it is. @throws CloudRefusal */
export const uncordon = async (client: KubernetesClient, host: string): Promise<void> =>
  changeNode(client, host, (node) =>
    ownReason(node) === undefined ? undefined : { spec: { unschedulable: null }, annotation: null },
  );

interface Change {
  readonly spec: { readonly unschedulable: true | null };
  /** Null takes it away. */
  readonly annotation: string | null;
}

const mostTries = 5;

/** Reads, decides and writes, until nobody else writes in between. */
const changeNode = async (
  client: KubernetesClient,
  host: string,
  changeOf: (node: Node) => Change | undefined,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const node = await client.get(nodes, { name: host });
    if (node === undefined) throw new CloudRefusal(`Host ${host} could not be found: the cluster has no such node.`);
    const change = changeOf(node);
    if (change === undefined) return;
    const { resourceVersion } = node.metadata;
    const metadata = { resourceVersion, annotations: { [cordonAnnotation]: change.annotation } };
    try {
      await client.patch(nodes, { name: host }, { patch: { metadata, spec: change.spec }, type: 'merge' });
      return;
    } catch (error) {
      if (isStatus(error, 409) && tries < mostTries) continue;
      throw isStatus(error, 400, 403, 404, 422) ? refusal(host, error.details.said) : error;
    }
  }
};

const refusal = (host: string, said: string): CloudRefusal =>
  new CloudRefusal(`The cluster refused to change node ${host}: ${said}`);
