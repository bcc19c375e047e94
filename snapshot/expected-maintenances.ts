/** Gives planning the expected time of each maintenance of a session, when the cloud does not say it. */
import { expectedTimes, nothingSeen, type UsualTimes, usualTimes } from '../planning/fleet/expected-times';
import type { Host } from '../planning/fleet/fleet';
import type { Queryable } from '../prisma/database';
import { findSessionProgress } from '../prisma/session/session-progress';
import { findSeenMaintenances } from '../prisma/times/maintenance-times';

/** A cloud that tells the time of each host costs no query. */
export const withExpectedMaintenances = async (
  db: Queryable,
  hosts: readonly Host[],
  maintenanceSeconds = usualTimes.maintenanceSeconds,
): Promise<readonly Host[]> => {
  const untold = hosts.flatMap(({ work, expectedMaintenanceSeconds }) =>
    work !== undefined && expectedMaintenanceSeconds === undefined ? [work.sessionId] : [],
  );
  const usual = { ...usualTimes, maintenanceSeconds };
  const expectedBy = new Map<string, ExpectMaintenance>();
  for (const sessionId of new Set(untold)) expectedBy.set(sessionId, await expectationOf(db, sessionId, usual));
  return hosts.map((host) => {
    const expected = host.work && expectedBy.get(host.work.sessionId)?.(host);
    return expected === undefined ? host : { ...host, expectedMaintenanceSeconds: expected };
  });
};

type ExpectMaintenance = (host: Host) => number;

const expectationOf = async (db: Queryable, sessionId: string, usual: UsualTimes): Promise<ExpectMaintenance> => {
  const session = await findSessionProgress(db, sessionId);
  const maintenances = await findSeenMaintenances(db, { sessionId, actions: session?.actions ?? [] });
  return expectedTimes({ ...nothingSeen, maintenances }, usual).maintenanceSeconds;
};
