import { mayBegin } from '../../rules/steering/may-begin';
import { databaseNow, type Queryable } from '../database';
import { findSessionProgress } from './session-progress';

/** The same as `mayBegin`, for the session's present row. A session that is gone begins nothing. */
export const mayBeginIn = async (db: Queryable, sessionId: string): Promise<boolean> => {
  const session = await findSessionProgress(db, sessionId);
  return session !== null && mayBegin(session, await databaseNow(db));
};
