/** The report for the operator after a restore, when everything was compared with the cloud. */
import type { HeldSessions } from '../../activities/upkeep/hold-sessions';

export interface Told {
  readonly lines: readonly string[];
  /** True when the operator may start workers. */
  readonly mayStart: boolean;
}

export const toldAfterHolding = ({ endedWorkflows, sessionIds, strangeHosts, strangeMoves }: HeldSessions): Told => {
  const mayStart = strangeMoves.length === 0;
  return {
    mayStart,
    lines: [
      `ended ${String(endedWorkflows)} workflows in Temporal`,
      ...sessionIds.map((id) => `session ${id} is held: look at its hosts in its detail, then PUT continues it`),
      ...strangeHosts.map(
        ({ name, disabledReason = '' }) =>
          `host ${name} is disabled for a session that is not on record ("${disabledReason}"): ` +
          'see how far its maintenance came, then enable it by hand',
      ),
      ...strangeMoves.map(
        ({ instanceName, instanceId, host, state }) =>
          `instance ${instanceName} (${instanceId}) on host ${host} is ${state} in the cloud, by a move that is not ` +
          'on record: wait until it has ended, confirm it where the cloud asks for that, and run this again',
      ),
      mayStart ? 'every host and every move was compared: workers and APIs may be started' : 'do not start workers yet',
    ],
  };
};
