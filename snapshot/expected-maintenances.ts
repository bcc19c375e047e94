/** Gives decisions the expected time of each maintenance of a session. */
import type { Queryable } from '../prisma/database';
import { type ActionsOfSession, findActionsOfSessions } from '../prisma/session/session-progress';
import { findSeenMaintenances } from '../prisma/times/maintenance-times';
import type { Host } from '../rules/decisions/fleet/fleet';
import { type UsualTimes, usualTimes } from '../rules/decisions/fleet/usual-times';
import {
  type ExpectedTimes,
  expectedTimes,
  nothingSeen,
  withExpectedMaintenance,
} from '../rules/expectations/expected-times';
import { asTimedPlugin, secondsTold } from '../rules/expectations/plugins-of-host';

export const withExpectedMaintenances = async (
  db: Queryable,
  hosts: readonly Host[],
  maintenanceSeconds = usualTimes.maintenanceSeconds,
): Promise<readonly Host[]> => {
  const usual = { ...usualTimes, maintenanceSeconds };
  const hostsBySession = Map.groupBy(hosts, ({ work }) => work?.sessionId);
  const expectedBy = new Map<string, ExpectedTimes>();
  const sessionIds = [...hostsBySession.keys()].filter((sessionId) => sessionId !== undefined);
  for (const { sessionId, actions } of await findActionsOfSessions(db, sessionIds)) {
    const own = hostsBySession.get(sessionId) ?? [];
    expectedBy.set(sessionId, await expectationOf(db, { sessionId, actions, own }, usual));
  }
  return hosts.map((host) => {
    const expected = host.work && expectedBy.get(host.work.sessionId);
    return expected === undefined ? host : withExpectedMaintenance(host, expected);
  });
};

/** Reads what was seen only where neither the request nor the cloud tells the time of each host. */
const expectationOf = async (
  db: Queryable,
  { sessionId, actions, own }: ActionsOfSession & { readonly own: readonly Host[] },
  usual: UsualTimes,
): Promise<ExpectedTimes> => {
  const plugins = actions.map(asTimedPlugin);
  const isTold = (host: Host) => (secondsTold(plugins, host) ?? host.expectedMaintenanceSeconds) !== undefined;
  const maintenances = own.every(isTold) ? [] : await findSeenMaintenances(db, { sessionId, actions });
  return expectedTimes({ ...nothingSeen, maintenances }, usual, plugins);
};
