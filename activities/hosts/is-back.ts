/**
 * Waits for a host to be up again after its maintenance, and to offer what it offered before its drain: only then is it
 * maintained.
 */
import { ApplicationFailure } from '@temporalio/client';
import { databaseNow } from '../../prisma/database';
import { changeHost, findSessionHost, type HostRef, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findSessionProgress } from '../../prisma/session/session-progress';
import { notAsBefore } from '../../rules/cloud/as-before';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { disableForSession } from './host-switch';

/**
 * @returns true when the cloud says that the host is up and as it was before its drain
 * @throws ApplicationFailure when it has not been so within its time: it is disabled again, because nobody knows its
 * state
 */
export const isBack = async (services: Services, ref: HostRef): Promise<boolean> => {
  const host = await findSessionHost(services.db, ref);
  // A repeat after the end of the work, or a session that stops meanwhile.
  if (host?.phase !== 'maintaining') return true;
  const missing = await whatIsMissing(services, host);
  if (missing === undefined) return true;
  const limitSeconds = await limitOf(services, ref);
  if ((await secondsSinceEnabled(services, host)) < limitSeconds) return false;
  // No instance may come to it when it comes up late.
  await disableForSession(services, ref);
  await inHost(services, ref, (tx) => changeHost(tx, ref, { enablingAt: null }));
  throw ApplicationFailure.nonRetryable(
    `host ${ref.hostname} did not come back: ${missing} within ${limitSeconds} s after its maintenance`,
    'HostNotBack',
  );
};

/** @returns undefined: nothing is missing */
const whatIsMissing = async (
  { cloud }: Pick<Services, 'cloud'>,
  { hostname, offeredBefore, ignoredMarks }: SessionHostRecord,
): Promise<string | undefined> => {
  const now = await cloud.findHost(hostname);
  if (now?.isUp !== true) return 'the cloud has not seen it up';
  const differences = notAsBefore(offeredBefore, now, ignoredMarks);
  if (differences.length === 0) return undefined;
  return `it is up, but it has not been as it was before its drain (${differences.join(', ')})`;
};

/** The create request may say more or less than the setting. */
const limitOf = async ({ db, limits }: Pick<Services, 'db' | 'limits'>, { sessionId }: HostRef): Promise<number> =>
  (await findSessionProgress(db, sessionId))?.hostStartSeconds ?? limits.hostStartSeconds;

const secondsSinceEnabled = async ({ db }: Pick<Services, 'db'>, { enablingAt }: SessionHostRecord): Promise<number> =>
  enablingAt === null ? 0 : ((await databaseNow(db)).getTime() - enablingAt.getTime()) / 1000;
