/** Tells of moves that went on although nobody watched them: in the log, and in the detail of their session. */
import type { LeftOverMove } from '../../clouds/cloud-driver';
import { databaseNow } from '../../prisma/database';
import { changeInstance } from '../../prisma/hosts/session-instances';
import { findActiveClaims, findClaim } from '../../prisma/moves/claims';
import { keyOf } from '../../rules/cloud/id';
import type { Services } from '../services';

type TellingLeftOvers = Pick<Services, 'db' | 'cloud' | 'logger'>;

export const tellLeftOvers = async (services: TellingLeftOvers): Promise<void> => {
  for (const move of (await services.cloud.watchLeftOvers?.()) ?? []) await tell(services, move);
};

/** A session that was continued may have begun another action of the instance: then its detail tells of that one. */
const tell = async ({ db, logger }: TellingLeftOvers, { claimId, words, host }: LeftOverMove): Promise<void> => {
  const claim = await findClaim(db, claimId);
  logger.warn({ claimId, sessionId: claim?.sessionId, instanceId: claim?.instanceId }, words);
  if (claim === null) return;
  const active = await findActiveClaims(db, { sessionId: claim.sessionId });
  if (active.some(({ instanceId }) => keyOf(instanceId) === keyOf(claim.instanceId))) return;
  const change = { details: words, ...(host !== undefined && { host }) };
  await changeInstance(db, claim, { ...change, updatedAt: await databaseNow(db) });
};
