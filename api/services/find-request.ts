/** Finds the create request of a session, to create another session like it. */
import { type Database, databaseNow } from '../../prisma/database';
import { findSessionHosts } from '../../prisma/hosts/session-hosts';
import { listDownloads } from '../../prisma/session/session-downloads';
import { findSessionProgress } from '../../prisma/session/session-progress';
import { sessionNotFound } from '../problems/problem-catalogue';
import type { CreateSessionBody } from '../schemas/session-schemas';
import { requestOfSame } from './request-of-rest';

/** @throws ApiError 404 */
export const findRequest = async (db: Database, sessionId: string): Promise<CreateSessionBody> => {
  const session = await findSessionProgress(db, sessionId);
  if (session === null || (session.deletedAt !== null && session.archivedAt === null)) throw sessionNotFound(sessionId);
  const hosts = await findSessionHosts(db, sessionId);
  const download = (await listDownloads(db, sessionId)).map(({ url }) => url);
  return requestOfSame({ session, hosts, download, now: await databaseNow(db) });
};
