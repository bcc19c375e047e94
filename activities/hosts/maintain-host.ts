/**
 * Begins and ends a host's maintenance, or gives the host back without maintenance. Records each step and its events.
 */
import { ApplicationFailure } from '@temporalio/client';
import { appendEvent } from '../../events/outbox';
import { lockLimits } from '../../prisma/constraints/constraint-locks';
import { databaseNow, type Transaction } from '../../prisma/database';
import {
  changeHost,
  findSessionHost,
  type HostChange,
  type HostRef,
  type SessionHostRecord,
} from '../../prisma/hosts/session-hosts';
import { findActiveClaims } from '../../prisma/moves/claims';
import { mayBeginIn } from '../../prisma/session/may-begin';
import { findSessionProgress } from '../../prisma/session/session-progress';
import { recordMaintenanceTime } from '../../prisma/times/maintenance-times';
import { findingsOf } from '../../rules/cloud/host-findings';
import { isDone } from '../../rules/decisions/fleet/host-work';
import { keptDisabledBy } from '../../rules/decisions/fleet/kept-disabled';
import { limitKeysOf } from '../../rules/decisions/fleet/limit-keys';
import { stepOfHost } from '../../rules/steps/host-step';
import { failureOn } from '../../rules/words/failure-of-host';
import { logFact, namesOfHost, secondsBetween } from '../log-facts';
import { endAction } from '../moves/end-action';
import { goOnFromHost, withdrawQuestions } from '../questions/end-questions';
import type { Services } from '../services';
import { inHost, takeOverHost } from '../session/run-in-force';
import { tellSession } from '../session/tell-session';
import { wakeOthers } from '../session/wake-others';
import { clearHost, clearOrNote } from './clear-host';
import { isToStayDisabled } from './fail-host';
import { letHostGo } from './gone-hosts';
import { afterWork, enableAfterWork, settleHosts, wasDisabledBefore } from './host-switch';
import { isBack } from './is-back';
import { asGuest, isStillEmpty, lookAtHost, noteFindings } from './look-at-host';
import { showStandings } from './show-standings';

/**
 * @returns false when something is, or may be, on the host after all, or the session is paused: the host's orders say
 * what to do
 */
export const beginMaintenance = async (services: Services, ref: HostRef): Promise<boolean> => {
  // No instance may come to the host from here on, even when somebody enabled it against the record.
  await settleHosts(services, ref.hostname);
  await showStandings(services, ref.hostname);
  const content = await lookAtHost(services.cloud, ref.hostname);
  return inHost(services, ref, async (tx, host) => {
    if (host.phase !== 'maintaining') return false;
    if (host.announcedAt === null && !(await mayBeginIn(tx, ref.sessionId))) return false;
    if (!(await isStillEmpty(services, tx, { host, content }))) return false;
    // Projects that were asked about instances that are gone must be free for questions about other hosts.
    await goOnFromHost(services, tx, ref);
    if (host.announcedAt === null) await announce(services, tx, ref);
    return true;
  });
};

/**
 * Enables the host after its last plug-in and waits until it is up.
 * @returns notYet: something may be on it, or it is not up: it is to be tried again
 * @throws ApplicationFailure when it has not come back in time, or somebody else keeps it disabled
 */
export const finishMaintenance = async (services: Services, ref: HostRef): Promise<'notYet' | undefined> => {
  if (!(await mayBeEnabled(services, ref))) return endIfGone(services, ref);
  const before = await findSessionHost(services.db, ref);
  const keptBy = await enableAfterWork(services, ref);
  await assertNotKept(services, before, keptBy);
  if (!(await isBack(services, ref))) return notBackYet(services, before);
  await inHost(services, ref, async (tx, host) => {
    if (isDone(host)) return;
    const now = await databaseNow(tx);
    const left = afterWork(host, { now, keptBy });
    const session = await findSessionProgress(tx, ref.sessionId);
    await recordMaintenanceTime(tx, { host, actions: session?.actions ?? [], endedAt: now });
    await changeHost(tx, ref, { ...left, ...stepOfHost(host, { kind: 'maintained' }), ...asMaintained });
    const tookSeconds = secondsBetween(host.drainStartedAt, now);
    logFact(services, tx, { what: 'host maintained', ...namesOfHost(ref), ...leftAs(keptBy), tookSeconds });
    await announceBack(services, tx, ref);
  });
  await showStandings(services, ref.hostname);
  await wakeOthers(services, ref.sessionId, { kind: 'host', hostname: ref.hostname });
  return undefined;
};

const asMaintained = { maintained: true, announcedAt: null, findings: null } as const;

/** @throws ApplicationFailure when somebody else has disabled the host since the session did */
const assertNotKept = async (
  { db }: Pick<Services, 'db'>,
  host: SessionHostRecord | null,
  keptBy: string | undefined,
) => {
  if (host === null || wasDisabledBefore(host) || keptBy === undefined) return;
  await changeHost(db, host, { enablingAt: null, keptDisabledBy: keptBy });
  throw ApplicationFailure.nonRetryable(keptDisabledBy(host.hostname, keptBy), 'HostNotBack');
};

/** At the first look the session is woken, and tells what is waited for. */
const notBackYet = async (
  services: Pick<Services, 'workflowCalls'>,
  before: SessionHostRecord | null,
): Promise<'notYet'> => {
  if (before?.enablingAt === null) await services.workflowCalls.wakeSession(before.sessionId);
  return 'notYet';
};

/** The end of a host that has left the cloud during its maintenance. @returns notYet: it has not */
const endIfGone = async (services: Services, ref: HostRef): Promise<'notYet' | undefined> => {
  const { cloud } = services;
  if (cloud.hostsLeave !== true || (await cloud.findHost(ref.hostname)) !== undefined) return 'notYet';
  await inHost(services, ref, async (tx, host) => {
    if (host.phase !== 'maintaining') return;
    await letHostGo(services, tx, host);
    if (host.announcedAt !== null) await announceBack(services, tx, ref);
  });
  await wakeOthers(services, ref.sessionId, { kind: 'host', hostname: ref.hostname });
  return undefined;
};

/**
 * Looks at the host once more before it is enabled. Instances that came during its last plug-in are told and stay:
 * nothing more is done to the host.
 */
const mayBeEnabled = async (services: Services, ref: HostRef): Promise<boolean> => {
  const host = await takeOverHost(services, ref);
  if (host.phase !== 'maintaining' || host.enablingAt !== null) return true;
  const { instances, doubts: unclear } = await lookAtHost(services.cloud, ref.hostname);
  const doubts = [...unclear, ...(await clearHost(services, ref))];
  return inHost(services, ref, async (tx, locked) => {
    const lookedAtMs = (await databaseNow(tx)).getTime();
    const findings = findingsOf({ doubts, guests: instances.map(asGuest), lookedAtMs });
    await noteFindings(services, tx, { host: locked, findings });
    return doubts.length === 0;
  });
};

/** The host goes back to use without maintenance: nothing moves on it any more. */
export const giveBackHost = async (services: Services, ref: HostRef): Promise<void> => {
  const staysDisabled = await inHost(services, ref, (tx, host) => isToStayDisabled(tx, host));
  await awaitCleared(services, ref);
  const keptBy = staysDisabled ? undefined : await enableAfterWork(services, ref);
  const isOver = await inHost(services, { ...ref, lockFirst: lockLimitsOn(ref) }, async (tx, host) => {
    if (host.phase !== 'releasing') return true;
    // Its session stops meanwhile, or more hosts have failed: it goes back to use after all.
    if (staysDisabled && !(await isToStayDisabled(tx, host))) return false;
    // All at once and first, because questions are locked before claims, in their order (docs/design/facts.md, Locks).
    await withdrawQuestions(services, tx, ref);
    for (const claim of await findActiveClaims(tx, { sessionId: ref.sessionId, source: ref.hostname })) {
      await endAction(services, tx, { claim, end: { outcome: 'dropped' } });
    }
    const now = await databaseNow(tx);
    const left = staysDisabled ? { enablingAt: null } : { ...afterWork(host, { now, keptBy }), findings: null };
    await changeHost(tx, ref, { ...left, ...(await stepGivenBack(tx, host)), announcedAt: null });
    const enabled = !staysDisabled && keptBy === undefined;
    const end = {
      reason: host.skipReason ?? host.failure,
      enabled,
      tookSeconds: secondsBetween(host.drainStartedAt, now),
    };
    logFact(services, tx, { what: 'host given back', ...namesOfHost(ref), ...end });
    if (host.announcedAt !== null) await announceBack(services, tx, ref);
    return true;
  });
  if (!isOver) return giveBackHost(services, ref);
  await showStandings(services, ref.hostname);
  await wakeOthers(services, ref.sessionId, { kind: 'host', hostname: ref.hostname });
};

/** @throws Error while something of its plug-ins runs on the host: it is tried again, and the wait for that is named */
const awaitCleared = async (services: Services, ref: HostRef): Promise<void> => {
  const doubts = await clearOrNote(services, ref);
  if (doubts.length > 0)
    throw new Error(`host ${ref.hostname} is not given back yet: ${doubts.map(({ because }) => because).join('; ')}`);
};

/** The claims of its instances are closed without an action. No new ones come, since nothing is granted on it. */
const lockLimitsOn =
  ({ sessionId, hostname }: HostRef) =>
  async (tx: Transaction): Promise<void> => {
    const claims = await findActiveClaims(tx, { sessionId, source: hostname });
    await lockLimits(tx, claims.flatMap(limitKeysOf));
  };

/** The host is skipped, it has failed, or it waits for its turn again. */
const stepGivenBack = async (tx: Transaction, host: SessionHostRecord): Promise<HostChange> => {
  const { skipReason, failure, sessionId, hostname } = host;
  const state = failure === null ? undefined : (await findSessionProgress(tx, sessionId))?.state;
  const details = skipReason ?? (failure === null ? undefined : failureOn(hostname, failure));
  return { ...stepOfHost(host, { kind: 'givenBack', state }), ...(details !== undefined && { details }) };
};

/** The host is in use again, unless somebody else keeps it disabled. */
const leftAs = (keptBy: string | undefined) => ({ enabled: keptBy === undefined });

const announce = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  tx: Transaction,
  { sessionId, hostname }: HostRef,
): Promise<void> => {
  const now = await databaseNow(tx);
  await changeHost(tx, { sessionId, hostname }, { announcedAt: now, maintainedFrom: now });
  await appendEvent(tx, services.drafts.host({ sessionId, state: 'IN_MAINTENANCE', host: hostname }));
  await tellSession(services, tx, { sessionId, state: 'IN_MAINTENANCE' });
  logFact(services, tx, { what: 'host in maintenance', sessionId, host: hostname });
};

/** Records maintenance.host, and maintenance.session with the session's state, when a host's maintenance ends. */
const announceBack = async (
  services: Pick<Services, 'drafts'>,
  tx: Transaction,
  { sessionId, hostname }: HostRef,
): Promise<void> => {
  await appendEvent(tx, services.drafts.host({ sessionId, state: 'MAINTENANCE_COMPLETE', host: hostname }));
  const session = await findSessionProgress(tx, sessionId);
  if (session !== null) await tellSession(services, tx, { sessionId, state: session.state });
};
