/**
 * Every worker removes the files of deleted sessions from its own machine. These include sessions that were deleted
 * while the worker was down, and files that a killed process left. It looks when it starts, and then from time to time.
 */
import type { Services } from '../activities/services';
import { findDeletedSessions } from '../prisma/session/session-downloads';

const everyMs = 10_000;

/** @returns a function that stops the removal, and waits for the running round */
export const keepDownloadsTidy = ({
  db,
  downloads,
  logger,
}: Pick<Services, 'db' | 'downloads' | 'logger'>): (() => Promise<void>) => {
  let round = Promise.resolve();
  const tidy = () => {
    round = round
      .then(() => downloads.tidy((sessionIds) => findDeletedSessions(db, sessionIds)))
      .catch((error: unknown) => logger.warn({ err: error }, 'the files of deleted sessions could not be removed'));
  };
  tidy();
  const timer = setInterval(tidy, everyMs);
  return () => {
    clearInterval(timer);
    return round;
  };
};
