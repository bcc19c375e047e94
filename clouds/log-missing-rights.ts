/** Logs at the start of a process which rights in the cloud its login lacks. */
import type { Logger } from 'pino';
import type { MissingRight } from '../rules/cloud/cloud-facts';
import type { CloudDriver } from './cloud-driver';

export const describeMissing = ({ rule, neededTo, lost }: MissingRight): string =>
  `the login to the cloud lacks the right ${rule}, needed to ${neededTo}` + (lost === undefined ? '' : `: ${lost}`);

/** Never rejects: a process starts without its cloud, too. */
export const logMissingRights = async (cloud: CloudDriver, logger: Pick<Logger, 'warn' | 'error'>): Promise<void> => {
  try {
    for (const right of await cloud.missingRights()) {
      logger[right.severity === 'stops' ? 'error' : 'warn']({ rule: right.rule }, describeMissing(right));
    }
  } catch (error) {
    logger.warn({ err: error }, 'the rights of the login to the cloud could not be tried');
  }
};
