/** The facts of a plan where a fleet file has them: all hosts with `maintain` in one session that has not begun. */
import type { BuiltInWorkflow } from '../../decisions/both-workflows/built-in-workflow';
import { usualTimes } from '../../decisions/fleet/usual-times';
import { nothingSeen, type SeenTimes } from '../../expectations/expected-times';
import { usualReplySeconds } from '../../questions/reply-window';
import type { FileFleet } from '../file-fleet';
import { limitsOfStrategy } from '../strategy';
import { asPlanned, simulatedSessionId } from '../virtual-fleet';
import type { PlanInput } from './plan';

export interface FleetToPlan {
  readonly worksLike: BuiltInWorkflow;
  /** Where it is given, nobody tells how long maintaining a host takes: see `simulate`. */
  readonly seen?: SeenTimes;
}

export const planInputOf = (fleet: FileFleet, { worksLike, seen }: FleetToPlan): PlanInput => {
  const planned = asPlanned(fleet);
  const hosts = planned.hosts.map(({ expectedMaintenanceSeconds, ...host }) =>
    seen || expectedMaintenanceSeconds === undefined ? host : { ...host, expectedMaintenanceSeconds },
  );
  return {
    nowMs: 0,
    sessionId: simulatedSessionId,
    sessions: [
      {
        sessionId: simulatedSessionId,
        worksLike,
        limits: limitsOfStrategy('vnf', fleet),
        state: 'MAINTENANCE',
        stateEnteredAtMs: 0,
        maintenanceAtMs: 0,
        isBegun: false,
        // The plug-in of the simulated cloud takes as long as the host does.
        actions: [{ type: 'host' }],
      },
    ],
    fleet: { ...planned, hosts },
    cloudHosts: fleet.hosts.map(({ name, enabled, maintenanceSeconds }) => ({
      name,
      enabled,
      isUp: true,
      ...(!seen && { maintenanceSeconds }),
    })),
    claimedAtMs: new Map(),
    seen: seen ?? nothingSeen,
    usual: usualTimes,
    replySeconds: usualReplySeconds,
  };
};
