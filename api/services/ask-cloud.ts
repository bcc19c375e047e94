/** Refuses a request that needs the cloud while the cloud does not answer: nothing is stored on a guess. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { isDatabaseAway } from '../../prisma/database-away';
import { answerWithin } from '../http/answer-within';
import { cloudAway } from '../problems/away-problems';

/**
 * Drivers ask several times on their own. A caller of the API gets an answer before it gives up by itself. In
 * milliseconds.
 */
const answerWithinMs = 30_000;

/**
 * The cloud's answer.
 * @throws ApiError 503, with the driver's error as its cause. The simulated cloud is in the database: when that is
 * down, the database's own error is thrown.
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
    throw cloudAway(cloud.name, error);
  }
};
