/** The times that are expected of a session's hosts, from the same sources as in its plan, but without its snapshot. */
import { answerWithin } from '../../calls/time-limit';
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { findSeenMaintenances } from '../../prisma/times/maintenance-times';
import { findMeanTimes, type MeanTimes } from '../../prisma/times/project-times';
import { expectedTimes, nothingSeen, usualTimesOf } from '../../rules/expectations/expected-times';
import { asTimedPlugin } from '../../rules/expectations/plugins-of-host';
import type { HostTimes } from '../summary/expected-end';
import type { PlanSettings } from './plan-facts';

export interface HostTimesDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly settings: PlanSettings;
}

/** Alike for all sessions. */
export interface CommonTimes extends MeanTimes {
  /** The seconds that the cloud tells of maintenances, by host. */
  readonly told: ReadonlyMap<string, number>;
}

export const findCommonTimes = async ({ db, cloud }: HostTimesDeps): Promise<CommonTimes> => {
  const [means, told] = await Promise.all([findMeanTimes(db), toldBy(cloud)]);
  return { ...means, told };
};

/** A look at a session does not wait for a slow cloud. */
const mostWaitMs = 1_000;

const toldBy = async (cloud: CloudDriver): Promise<ReadonlyMap<string, number>> => {
  // Most clouds never tell.
  if (cloud.maintenanceSeconds === undefined) return new Map();
  const hosts = await answerWithin(cloud.listHostsLately(), mostWaitMs).catch(() => []);
  return new Map(
    hosts.flatMap(({ name, maintenanceSeconds }) =>
      maintenanceSeconds === undefined ? [] : [[name, maintenanceSeconds]],
    ),
  );
};

export const hostTimesOf = async (
  { db, settings }: HostTimesDeps,
  { id: sessionId, actions }: SessionProgress,
  { told, ...means }: CommonTimes,
): Promise<HostTimes> => {
  const maintenances = await findSeenMaintenances(db, { actions, sessionId });
  const usual = usualTimesOf(settings);
  const expected = expectedTimes({ ...nothingSeen, maintenances }, usual, actions.map(asTimedPlugin));
  // Which projects a host holds is not looked up: the mean over all is good enough beside the pace that is seen.
  const { moveSeconds, answerSeconds } = means;
  const drainSeconds = (moveSeconds ?? usual.moveSeconds) + (answerSeconds ?? usual.answerSeconds);
  return {
    drainSeconds: ({ isCompute }) => (isCompute ? drainSeconds : 0),
    maintenanceSeconds({ hostname: name, type: given, isCompute }) {
      const type = given === 'controller' ? 'controller' : 'compute';
      const seconds = told.get(name);
      return expected.maintenanceSeconds({
        name,
        type,
        isCompute,
        ...(seconds !== undefined && { expectedMaintenanceSeconds: seconds }),
      });
    },
  };
};
