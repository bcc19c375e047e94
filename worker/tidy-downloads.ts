/**
 * Every worker removes by itself, from its own machine, the files of sessions that are deleted: also of those that were
 * deleted while it was down, and what a killed process left half-done. It looks when it starts, and then now and again.
 */
import type { Services } from '../activities/services';
import { findDeletedSessions } from '../prisma/session/session-downloads';

const everyMs = 10_000;

/** @returns a function that stops it, and waits for the round under way */
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
