/**
 * Disables and enables hosts in the cloud. A call may hang for minutes and succeed after something else was decided, so
 * the host is read again after every call. After a call whose worker is dead the sweeper does that.
 */
import { ApplicationFailure } from '@temporalio/client';
import { CloudRefusal } from '../../clouds/cloud-driver';
import { databaseNow } from '../../prisma/database';
import { changeHost, findHostsOnRecord, type HostRef, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findKnownSessions } from '../../prisma/session/session-progress';
import { offeredBy } from '../../rules/cloud/as-before';
import type { CloudHost } from '../../rules/cloud/cloud-facts';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { type HostSwitch, isDisabledLate, switchBack, type SwitchedHost } from './late-switch';
import { showStandings } from './show-standings';

const reasonOf = (sessionId: string): string => `maintenance session ${sessionId}`;
const reason = /^maintenance session ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const sessionIn = (text = ''): string | undefined => reason.exec(text)?.[1];

/**
 * The session for which the host is disabled, with a record or without; undefined when somebody else has disabled it,
 * or nobody.
 */
export const sessionThatDisabled = ({ enabled, disabledReason }: CloudHost): string | undefined =>
  enabled ? undefined : sessionIn(disabledReason);

/** Tells whether the host is disabled and the cloud's reason names this session. */
export const isDisabledFor = (host: CloudHost, sessionId: string): boolean => sessionThatDisabled(host) === sessionId;

type Switching = Pick<Services, 'db' | 'cloud' | 'logger'>;

/** Disables the host, if that is still wanted. */
export const disableForWork = async (services: Services, ref: HostRef): Promise<void> => {
  const listed = await services.cloud.findHost(ref.hostname);
  const isDisabledByOther = await wasDisabledByOther(services, ref, listed);
  const wanted = await inHost(services, ref, async (tx, host) => {
    if (!isToBeOut(host)) return false;
    // Recorded before the first disable: a host that was disabled beforehand stays disabled.
    const disabledBefore = host.disabledBefore !== false && isDisabledByOther;
    const offeredBefore = host.offeredBefore ?? (listed === undefined ? null : offeredBy(listed));
    const keptDisabledBy = isDisabledByOther ? host.keptDisabledBy : null;
    await changeHost(tx, ref, { disabledBefore, keptDisabledBy, offeredBefore, enablingAt: null });
    return true;
  });
  if (!wanted) return;
  await disableForSession(services, ref);
  await settleHosts(services, ref.hostname);
  await inHost(services, ref, async (tx, host) => {
    // A call that took long may come after the work: then the host was enabled again just now.
    if (host.disabled || !isToBeOut(host)) return;
    await changeHost(tx, ref, { disabled: true, disabledAt: await databaseNow(tx) });
    logFact(services, tx, { what: 'host disabled', sessionId: ref.sessionId, host: ref.hostname });
  });
  await showStandings(services, ref.hostname);
};

/** Tells the cloud to disable the host with the session's reason. A repeat changes nothing. */
export const disableForSession = ({ cloud }: Switching, { sessionId, hostname }: HostRef): Promise<void> =>
  orRefused(`host ${hostname} could not be disabled`, () => cloud.disableHost(hostname, reasonOf(sessionId)));

const isToBeOut = ({ phase }: SessionHostRecord): boolean => phase === 'emptying' || phase === 'maintaining';

/** A host that a late call of ours disabled counts as enabled: the session enables it when its work there is over. */
const wasDisabledByOther = async (
  services: Switching,
  { sessionId }: HostRef,
  listed: CloudHost | undefined,
): Promise<boolean> => {
  const [host] = await withSessions(services, listed === undefined || listed.enabled ? [] : [listed]);
  if (host === undefined) return false;
  const others = (await findRecords(services)).filter((record) => record.sessionId !== sessionId);
  return !isDisabledLate(host, others);
};

/**
 * Enables the host after the work on it, unless somebody else has disabled it before, or since for a reason that may
 * not be undone. The cloud tells whose disable it is, because our own disable may have been killed before it was
 * recorded.
 *
 * @returns the reason of whoever else keeps it disabled
 */
export const enableAfterWork = async (services: Services, ref: HostRef): Promise<string | undefined> => {
  const out = await inHost(services, ref, async (tx, host) => {
    // A repeat may come when the host is in use again: a person who has disabled it since has a reason for it.
    if (host.phase !== 'maintaining' && host.phase !== 'releasing') return undefined;
    if (host.enablingAt === null) await changeHost(tx, ref, { enablingAt: await databaseNow(tx) });
    return host;
  });
  if (out === undefined) return undefined;
  const listed = await services.cloud.findHost(ref.hostname);
  const [host] = await withSessions(services, listed === undefined ? [] : [listed]);
  if (host?.enabled === false && host.disabledBy === undefined) {
    const keptBy = reasonToKeep(services, out, listed?.disabledReason);
    if (keptBy !== undefined) return keptBy;
  }
  if (host === undefined && isNothingToEnable(services, out)) return undefined;
  await orRefused(`host ${ref.hostname} could not be enabled`, () => services.cloud.enableHost(ref.hostname));
  await settleHosts(services, ref.hostname);
  return undefined;
};

/** undefined: the settings let it be undone, because the host was disabled after the session began. */
const reasonToKeep = (
  { limits, logger }: Pick<Services, 'limits' | 'logger'>,
  host: SessionHostRecord,
  reason = 'no reason given',
): string | undefined => {
  const { sessionId, hostname } = host;
  const mayBeUndone = (limits.undoDisabledReasons ?? []).some((beginning) => reason.startsWith(beginning));
  if (wasDisabledBefore(host) || !mayBeUndone) return reason;
  logger.warn({ sessionId, hostname, reason }, 'somebody else has disabled the host since: undone, by its reason');
  return undefined;
};

/** True when somebody else had disabled it before the session began to work on it. */
export const wasDisabledBefore = (host: Pick<SessionHostRecord, 'disabledBefore' | 'keptDisabledBy'>): boolean =>
  host.disabledBefore === true && host.keptDisabledBy === null;

/** A host that the cloud no longer lists is refused in the cloud's words, when the session has disabled it. */
const isNothingToEnable = ({ cloud }: Switching, { disabledBefore }: SessionHostRecord): boolean =>
  disabledBefore !== false || cloud.hostsLeave === true;

/** The row of a host after the work: the session's own disable is undone, and nobody else's. */
export const afterWork = (
  host: SessionHostRecord,
  { now, keptBy }: { readonly now: Date; readonly keptBy: string | undefined },
) => {
  if (keptBy === undefined) {
    const enabled = { disabled: false, disabledAt: null, enablingAt: null, enabledAt: now };
    return { ...enabled, keptDisabledBy: null, details: '' };
  }
  const kept = { disabled: true, disabledBefore: true, enablingAt: null };
  if (wasDisabledBefore(host)) return { ...kept, details: 'was disabled before the session and stays disabled' };
  const details = `was disabled by somebody else meanwhile and stays disabled: ${keptBy}`;
  return { ...kept, keptDisabledBy: keptBy, details };
};

/**
 * Checks all hosts, or one. Undoes switches by late calls of ours, and disables again a host under work that somebody
 * enabled by hand.
 */
export const settleHosts = async (services: Switching, hostname?: string): Promise<void> => {
  const listed = await listSwitched(services, hostname);
  const records = await findRecords(services);
  const late = listed.filter((host) => switchBack(host, records) !== undefined);
  const problems: unknown[] = [];
  for (const { name } of late) await settleHost(services, name).catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw problems[0];
};

/**
 * Read again: the call for the host before may have taken long, and somebody else may have switched this host by now.
 */
const settleHost = async (services: Switching, hostname: string): Promise<void> => {
  const [host] = await listSwitched(services, hostname);
  const step = host && switchBack(host, await findRecords(services));
  if (step !== undefined) await carryOut(services, step);
};

const carryOut = ({ cloud, logger }: Switching, step: HostSwitch): Promise<void> => {
  const { kind, hostname } = step;
  logger.warn(step, 'a host was switched against what is on record, by hand or by a late call: switching it back');
  return orRefused(`host ${hostname} was switched against what is on record and could not be ${kind}d again`, () =>
    step.kind === 'enable' ? cloud.enableHost(hostname) : cloud.disableHost(hostname, reasonOf(step.sessionId)),
  );
};

const listSwitched = async (services: Switching, hostname?: string): Promise<SwitchedHost[]> =>
  withSessions(services, await listHostsOr(services, hostname));

const listHostsOr = async ({ cloud }: Switching, hostname: string | undefined): Promise<readonly CloudHost[]> => {
  if (hostname === undefined) return cloud.listHosts();
  const host = await cloud.findHost(hostname);
  return host === undefined ? [] : [host];
};

/** Adds the sessions of ours that have disabled them. */
const withSessions = async ({ db }: Switching, hosts: readonly CloudHost[]): Promise<SwitchedHost[]> => {
  const ids = hosts.flatMap(({ disabledReason }) => sessionIn(disabledReason) ?? []);
  const ours = ids.length === 0 ? new Set<string>() : await findKnownSessions(db, ids);
  return hosts.map(({ name, isCompute, enabled, disabledReason }) => {
    const sessionId = sessionIn(disabledReason);
    const disabledBy = sessionId !== undefined && ours.has(sessionId) ? { disabledBy: sessionId } : {};
    return { name, isCompute, enabled, ...disabledBy };
  });
};

const findRecords = async ({ db }: Switching) =>
  (await findHostsOnRecord(db)).map((record) => ({ ...record, isBeingEnabled: record.enablingAt !== null }));

/** A cloud's refusal does not pass by itself: it fails the host, in the cloud's words. */
const orRefused = async (what: string, call: () => Promise<void>): Promise<void> => {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof CloudRefusal)) throw error;
    throw ApplicationFailure.nonRetryable(`${what}: ${error.message}`, 'CloudRefusal');
  }
};
