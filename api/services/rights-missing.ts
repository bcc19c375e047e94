/** Blockers for the rights that the service's login to the cloud lacks. */
import type { MissingRight } from '../../rules/planning/fleet/cloud-facts';
import type { Blocker } from '../../rules/simulation/plan/plan';

export const rightsMissing = (missing: readonly MissingRight[]): readonly Blocker[] =>
  missing.map(({ rule, neededTo, severity, lost }) => ({
    ...{ kind: 'cloud_right_missing', severity: severity === 'stops' ? 'stops' : 'note', when: 'now' },
    ...{ owner: 'operator', subject: { kind: 'cloud', id: '', name: rule } },
    because:
      `the service's login lacks the right ${rule} in the cloud, which is needed to ${neededTo}; ` +
      (lost ?? 'no work on a host begins without it'),
    help: "allow it to the role of the service's user (docs/openstack.md has the lines); a change is noticed in 5 minutes",
  }));
