/** The project of the caller, for commands about one project. An admin has none, and names it. */
import type { WhoamiBody } from '../../api/schemas/sign-in-schemas';
import { usageFailure } from './exit';
import type { Client } from './http-client';

export const ownProject = async (client: Client): Promise<string> => {
  const { project_id: id } = await client.get<WhoamiBody>('/whoami');
  if (id === undefined) throw usageFailure('say which project: --project ID');
  return id;
};
