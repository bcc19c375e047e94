/** Notes about hosts that the cloud lists, and a session over all hosts leaves out. */
import type { CloudHost } from '../../rules/planning/fleet/cloud-facts';
import type { Blocker } from '../../rules/simulation/plan/plan';

export const hostsLeftOut = (hosts: readonly Pick<CloudHost, 'name' | 'seemsGone'>[]): readonly Blocker[] =>
  hosts.flatMap(({ name, seemsGone }): readonly Blocker[] =>
    seemsGone === undefined
      ? []
      : [
          {
            ...{ kind: 'host_left_out', severity: 'note', when: 'now', owner: 'operator' },
            subject: { kind: 'host', id: name, name },
            because: `host ${name} seems to be gone, since ${seemsGone}; the session leaves it out`,
            help: 'delete what the cloud still lists of it (openstack compute service delete), or start its services',
          },
        ],
  );
