/**
 * Decides which constraints go over to another instance: where a cloud makes an instance again under its name, with
 * another ID, what its project has stored for the old one is meant for the next one as well.
 */
import type { CloudInstance } from '../cloud/cloud-facts';
import { keyOf } from '../cloud/id';

export interface StoredForName {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly storedAt: Date;
}

export interface PassedOn {
  /** The ID of an instance that is gone. */
  readonly from: string;
  readonly to: string;
}

type ListedByName = Pick<CloudInstance, 'instanceId' | 'instanceName' | 'projectId' | 'keepsName'>;

/** An instance for which something is stored keeps that. Of several that are gone, the one stored last counts. */
export const constraintsToPassOn = (
  instances: readonly ListedByName[],
  stored: readonly StoredForName[],
): readonly PassedOn[] => {
  const storedFor = new Set(stored.map(({ instanceId }) => keyOf(instanceId)));
  const heirs = instances.filter(({ instanceId, keepsName }) => keepsName && !storedFor.has(keyOf(instanceId)));
  if (heirs.length === 0) return [];
  const listed = new Set(instances.map(({ instanceId }) => keyOf(instanceId)));
  const ofGone = stored
    .filter(({ instanceId }) => !listed.has(keyOf(instanceId)))
    .toSorted((one, other) => one.storedAt.getTime() - other.storedAt.getTime());
  const lastOf = new Map(ofGone.map((one) => [nameKey(one), one.instanceId]));
  return heirs.flatMap((heir): PassedOn[] => {
    const from = lastOf.get(nameKey(heir));
    return from === undefined ? [] : [{ from, to: heir.instanceId }];
  });
};

const nameKey = ({ projectId, instanceName }: Pick<ListedByName, 'projectId' | 'instanceName'>): string =>
  `${keyOf(projectId)}/${instanceName}`;
