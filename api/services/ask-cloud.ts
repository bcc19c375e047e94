/** A request that needs the cloud is refused while the cloud does not answer: nothing is stored on a guess. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { isDatabaseAway } from '../../prisma/database-away';
import { cloudAway } from '../away-problems';
import { withinLimit } from '../within-limit';

/** Drivers ask several times on their own; a caller of the API is told before it gives up by itself. Milliseconds. */
const answerWithinMs = 30_000;

/**
 * What the cloud answers.
 * @throws ApiError 503, with the driver's error as its cause. The simulated cloud is in the database: where that is
 *   away, its own error goes on.
 */
export const askCloud = async <Answer>(
  cloud: CloudDriver,
  ask: (cloud: CloudDriver) => Promise<Answer>,
  limitMs = answerWithinMs,
): Promise<Answer> => {
  try {
    return await withinLimit(ask(cloud), limitMs);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    throw cloudAway(cloud.name, error);
  }
};
