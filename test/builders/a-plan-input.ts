/** The facts of a plan: one session of `vnf` that is not begun, with maintenances of 100 s. */
import type { Fleet, Instance } from '../../rules/decisions/fleet/fleet';
import { usualTimes } from '../../rules/decisions/fleet/usual-times';
import { nothingSeen } from '../../rules/expectations/expected-times';
import type { PlanInput, SessionInPlan } from '../../rules/simulation/plan/plan';
import { aGroup, anInstance, aSessionId, type InstanceFields } from './a-fleet';

const limits = { defaultImpactShare: 0.25 };

export const aSessionInPlan = (fields: Partial<SessionInPlan> = {}): SessionInPlan => ({
  ...{ sessionId: aSessionId, worksLike: 'vnf', limits, state: 'MAINTENANCE' },
  ...{ stateEnteredAtMs: 0, maintenanceAtMs: 0, isBegun: false },
  actions: [{ type: 'host', seconds: 100 }],
  ...fields,
});

export const aPlanInput = (fleet: Partial<Fleet>, fields: Partial<PlanInput> = {}): PlanInput => {
  const hosts = fleet.hosts ?? [];
  return {
    nowMs: 0,
    sessionId: aSessionId,
    sessions: [aSessionInPlan()],
    fleet: { instances: [], groups: [aGroup()], claims: [], ...fleet, hosts },
    cloudHosts: hosts.map(({ name, enabled }) => ({ name, enabled, isUp: true })),
    claimedAtMs: new Map(),
    seen: nothingSeen,
    usual: usualTimes,
    replySeconds: 20,
    ...fields,
  };
};

/** An instance with constraints: 30 s to answer, cold migration. */
export const aConstrained = (fields: InstanceFields = {}): Instance =>
  anInstance({ leadTimeSeconds: 30, migrationType: 'MIGRATE', ...fields });
