/** Lists what the service can do without. */
import type { KubernetesClient } from './kubernetes-client';
import { isStatus } from './kubernetes-error';
import type { Resource } from './resource';

/**
 * Without the right to see them there are none, and `missingRights` tells what is lost then. There are none either
 * where nobody serves the kind.
 */
export const listIfAllowed = async <T>(client: KubernetesClient, resource: Resource<T>): Promise<readonly T[]> => {
  try {
    return (await client.list(resource)).items;
  } catch (error) {
    if (isStatus(error, 403, 404)) return [];
    throw error;
  }
};
