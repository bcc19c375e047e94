/** Instances that a cloud lists on their host, and that its list of all instances lacks. */
import type { CloudInstance } from './cloud-facts';
import type { HostDoubt } from './host-findings';
import { keyOf } from './id';

export const unlistedAmong = (
  onHost: readonly CloudInstance[],
  all: readonly CloudInstance[],
): readonly CloudInstance[] => {
  const listed = new Set(all.map(({ instanceId }) => keyOf(instanceId)));
  return onHost.filter(({ instanceId }) => !listed.has(keyOf(instanceId)));
};

/** Why nobody knows what is on a host, in words that follow "since". */
export const whyUnlisted = ({ instanceName, instanceId }: CloudInstance): string =>
  `the cloud's lists disagree: that of the host has instance ${instanceName} (${instanceId}), and that of all instances lacks it`;

export const unlistedDoubt = (hostname: string, instance: CloudInstance): HostDoubt => ({
  instanceId: instance.instanceId,
  owner: 'operator',
  because: `host ${hostname} is not known to be empty, since ${whyUnlisted(instance)}`,
  help: 'find out why the list of all instances is cut short; the host is looked at again by itself',
});
