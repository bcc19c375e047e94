/** Waits for a host to be up again after its maintenance: only then is it maintained. */
import { ApplicationFailure } from '@temporalio/client';
import { databaseNow } from '../../prisma/database';
import { changeHost, findSessionHost, type HostRef, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findSessionProgress } from '../../prisma/session/session-progress';
import type { CloudHost } from '../../rules/cloud/cloud-facts';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { disableForSession } from './host-switch';

/**
 * @returns true when the cloud says that the host is up
 * @throws ApplicationFailure when it has not been up within its time: it is disabled again, because nobody knows its
 * state
 */
export const isBack = async (services: Services, ref: HostRef): Promise<boolean> => {
  const host = await findSessionHost(services.db, ref);
  // A repeat after the end of the work, or a session that stops meanwhile.
  if (host?.phase !== 'maintaining') return true;
  if (await isUp(services, ref)) return true;
  const limitSeconds = await limitOf(services, ref);
  if ((await secondsSinceEnabled(services, host)) < limitSeconds) return false;
  // No instance may come to it when it comes up late.
  await disableForSession(services, ref);
  await inHost(services, ref, (tx) => changeHost(tx, ref, { enablingAt: null }));
  throw ApplicationFailure.nonRetryable(
    `host ${ref.hostname} did not come back: the cloud has not seen it up within ${limitSeconds} s after its maintenance`,
    'HostNotBack',
  );
};

/** Enabling the host has just listed it, and a list of a few seconds ago is no news to a cloud that takes a minute. */
const isUp = async ({ cloud }: Services, { hostname }: HostRef): Promise<boolean> => {
  const isUpAmong = (listed: readonly CloudHost[]) => listed.some((host) => host.name === hostname && host.isUp);
  return isUpAmong(await cloud.listHostsLately()) || isUpAmong(await cloud.listHosts());
};

/** The create request may say more or less than the setting. */
const limitOf = async ({ db, limits }: Services, { sessionId }: HostRef): Promise<number> =>
  (await findSessionProgress(db, sessionId))?.hostStartSeconds ?? limits.hostStartSeconds;

const secondsSinceEnabled = async ({ db }: Services, { enablingAt }: SessionHostRecord): Promise<number> =>
  enablingAt === null ? 0 : ((await databaseNow(db)).getTime() - enablingAt.getTime()) / 1000;
