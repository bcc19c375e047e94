/** Refuses a request that needs the cloud while the cloud does not answer: nothing is stored on a guess. */
import { answerWithin } from '../../calls/time-limit';
import type { CloudDriver } from '../../clouds/cloud-driver';
import { describeMissing } from '../../clouds/log-missing-rights';
import { isDatabaseAway } from '../../prisma/database-trouble';
import { cloudAway, rightsMissing } from '../problems/away-problems';

/**
 * The milliseconds that the cloud has for an answer. Drivers ask several times on their own; a caller of the API gets
 * an answer before it gives up by itself.
 */
const answerWithinMs = 30_000;
/** The milliseconds that come on top, to learn why the cloud did not answer. */
const reasonWithinMs = 5_000;

/**
 * The cloud's answer.
 * @throws ApiError 503, with the driver's error as its cause; it names the rights that the login lacks. The simulated
 * cloud is in the database: when that is down, the database's own error is thrown.
 */
export const askCloud = async <Answer>(
  cloud: CloudDriver,
  ask: (cloud: CloudDriver) => Promise<Answer>,
  limitMs = answerWithinMs,
): Promise<Answer> => {
  try {
    return await answerWithin(ask(cloud), limitMs);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const missing = await findStopping(cloud, Math.min(limitMs, reasonWithinMs));
    throw missing.length > 0 ? rightsMissing(missing, error) : cloudAway(cloud.name, error);
  }
};

/**
 * Finds missing rights without which the cloud may refuse its lists, or leave out what the driver must know. Never
 * rejects.
 */
const findStopping = async (cloud: CloudDriver, limitMs: number): Promise<readonly string[]> => {
  try {
    const rights = await answerWithin(cloud.missingRights(), limitMs);
    return rights.filter(({ severity }) => severity === 'stops').map(describeMissing);
  } catch {
    return [];
  }
};
