/** Hosts of the session that are disabled already, or down. */
import type { Host } from '../../planning/fleet/fleet';
import { isDone, isStarting, isUnderWork } from '../../planning/fleet/host-work';
import { FleetModel } from '../../planning/model/fleet-model';
import type { BlockerFacts } from './blocker-facts';
import type { Blocker, HostInCloud } from './plan';

export const blockersOfHosts = ({ input, fleet }: Pick<BlockerFacts, 'input' | 'fleet'>): readonly Blocker[] => {
  const model = new FleetModel(fleet);
  const cloudHosts = new Map(input.cloudHosts.map((host) => [host.name, host]));
  const own = model.hostsOf(input.sessionId).filter((host) => !isUnderWork(host) && !isDone(host.work));
  return own.flatMap((host): Blocker[] => {
    const inCloud = cloudHosts.get(host.name);
    if (!inCloud || isStarting(host)) return [];
    if (!inCloud.isUp) return [down(host, model.instancesOn(host.name).length)];
    return inCloud.enabled ? [] : [disabled(host, inCloud)];
  });
};

const aboutHost = ({ name }: Host) =>
  ({ subject: { kind: 'host', id: name, name }, owner: 'operator', when: 'now' }) as const;

const disabled = (host: Host, { disabledReason }: HostInCloud): Blocker => ({
  ...{ kind: 'host_disabled', severity: 'note', ...aboutHost(host) },
  because: `host ${host.name} is disabled already${disabledReason ? ` (${disabledReason})` : ''}, so it takes no instances, and stays disabled after its maintenance`,
  help: 'enable it before the session begins where it shall take instances; else nothing has to be done',
});

const down = (host: Host, instances: number): Blocker => ({
  ...{ kind: 'host_down', severity: instances > 0 ? 'stops' : 'note', ...aboutHost(host) },
  because:
    `host ${host.name} is down: its service in the cloud does not answer` +
    (instances > 0 ? `, so its ${String(instances)} instances cannot be moved` : ''),
  help: 'bring it up again, or leave it out of the session',
});
