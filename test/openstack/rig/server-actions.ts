/** What was asked of a server, and what an operator does about it. */
import { call } from './operator';

interface InstanceAction {
  readonly action: string;
  readonly request_id: string;
}

/** Newest first. */
export const listActions = async (serverId: string): Promise<readonly InstanceAction[]> =>
  ((await call(`/servers/${serverId}/os-instance-actions`)) as { instanceActions: InstanceAction[] }).instanceActions;

export const abortMigrations = async (serverId: string): Promise<void> => {
  const { migrations } = (await call(`/servers/${serverId}/migrations`)) as { migrations: { id: number }[] };
  for (const { id } of migrations) await call(`/servers/${serverId}/migrations/${id}`, { method: 'DELETE' });
};
