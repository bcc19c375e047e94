/** Lists the action plug-ins that still have to run on a host, in their order. */
import { findFinishedPlugins } from '../../prisma/hosts/plugin-records';
import { findSessionHost, type HostRef } from '../../prisma/hosts/session-hosts';
import { findSessionProgress, type SessionAction } from '../../prisma/session/session-progress';
import { runsOn } from '../../rules/expectations/plugins-of-host';
import type { Services } from '../services';

export interface PluginsOfHost extends HostRef {
  readonly types: readonly SessionAction['type'][];
}

/**
 * Positions, in the session's list of actions, of the plug-ins that still have to run: by type as listed, then by name.
 */
export const listPlugins = async (
  { db }: Pick<Services, 'db'>,
  { sessionId, hostname, types }: PluginsOfHost,
): Promise<number[]> => {
  const session = await findSessionProgress(db, sessionId);
  const host = await findSessionHost(db, { sessionId, hostname });
  const finished = await findFinishedPlugins(db, { sessionId, hostname });
  const runs = (type: SessionAction['type']): boolean => host === null || runsOn(type, host);
  return inOrder(session?.actions ?? [], types.filter(runs)).filter((position) => !finished.has(position));
};

const inOrder = (actions: readonly SessionAction[], types: readonly string[]): number[] =>
  types.flatMap((type) =>
    actions
      .map((action, position) => ({ ...action, position }))
      .filter((action) => action.type === type)
      .sort((one, other) => (one.plugin < other.plugin ? -1 : Number(one.plugin > other.plugin)))
      .map(({ position }) => position),
  );
