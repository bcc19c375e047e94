/**
 * Carries out the action plug-in `hold`: the host's row keeps since when a person works on the host, and the release.
 * Nothing runs meanwhile: the host's workflow looks again when the host is released, or when the hold is due.
 */
import { ApplicationFailure } from '@temporalio/client';
import { databaseNow, type Transaction } from '../../prisma/database';
import { type PluginRef, recordPluginEnd, recordPluginStart } from '../../prisma/hosts/plugin-records';
import { changeHost } from '../../prisma/hosts/session-hosts';
import { findSessionProgress, type SessionAction } from '../../prisma/session/session-progress';
import { type HostHold, judgeHold, type StepOfHold, stepOfHold } from '../../rules/holds/hold';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { tellSession } from '../session/tell-session';

interface HoldToCarryOut {
  readonly ref: PluginRef;
  readonly action: SessionAction;
}

/**
 * @returns held: a person works on the host; undefined: it is released
 * @throws ApplicationFailure when the work has failed by the release, or nobody has released the host in time
 */
export const holdHost = async (services: Services, given: HoldToCarryOut): Promise<'held' | undefined> => {
  const { ref, action } = given;
  const step = await inHost(services, ref, async (tx, host): Promise<StepOfHold> => {
    // A session that stops gives the host back.
    if (host.phase !== 'maintaining') return { kind: 'wait' };
    if (host.hold?.position !== ref.position) return beginHold(services, tx, given);
    const { hold } = host;
    return takeStep(services, tx, { ref, hold });
  });
  if (step.kind === 'failed') {
    const text = `host ${ref.hostname}: action plug-in hold (${action.type}) failed: ${step.because}`;
    throw ApplicationFailure.nonRetryable(text, 'ActionPluginFailed');
  }
  if (step.kind === 'done') return undefined;
  // Its workflow sends what was told.
  if (step.kind === 'remind') await services.workflowCalls.wakeSession(ref.sessionId);
  return 'held';
};

/** @returns remind: people were told; done: the host was released in an earlier run; failed: the metadata is wrong */
const beginHold = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  tx: Transaction,
  { ref, action }: HoldToCarryOut,
): Promise<StepOfHold> => {
  const { done } = await recordPluginStart(tx, ref, action);
  if (done) return { kind: 'done', state: '' };
  const judged = judgeHold(action.metadata);
  if ('fault' in judged) return { kind: 'failed', because: `metadata: ${judged.fault}` };
  const nowMs = (await databaseNow(tx)).getTime();
  const hold: HostHold = { ...judged.terms, position: ref.position, sinceMs: nowMs, toldAtMs: nowMs };
  await changeHost(tx, ref, { hold });
  logFact(services, tx, {
    what: 'host held for a person',
    sessionId: ref.sessionId,
    host: ref.hostname,
    task: hold.task,
  });
  await tellHeld(services, tx, { ref, hold });
  return { kind: 'remind' };
};

interface HeldHost {
  readonly ref: PluginRef;
  readonly hold: HostHold;
}

const takeStep = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  tx: Transaction,
  { ref, hold }: HeldHost,
): Promise<StepOfHold> => {
  const now = await databaseNow(tx);
  const step = stepOfHold(hold, now.getTime());
  const { sessionId, hostname: host } = ref;
  switch (step.kind) {
    case 'wait':
      return step;
    case 'remind':
      await changeHost(tx, ref, { hold: { ...hold, toldAtMs: now.getTime() } });
      await tellHeld(services, tx, { ref, hold });
      return step;
    case 'done':
      await recordPluginEnd(tx, ref, { status: 'done', state: step.state });
      await changeHost(tx, ref, { hold: null });
      logFact(services, tx, { what: 'host released by a person', sessionId, host, state: step.state });
      return step;
    case 'failed':
      // The hold stays until the host has failed: a worker that dies before finds it so once more.
      await recordPluginEnd(tx, ref, { status: 'failed', state: step.because });
      return step;
  }
};

const tellHeld = async (
  services: Pick<Services, 'drafts'>,
  tx: Transaction,
  { ref, hold: { task, sinceMs } }: HeldHost,
): Promise<void> => {
  const { sessionId, hostname: host } = ref;
  const session = await findSessionProgress(tx, sessionId);
  if (session === null) return;
  await tellSession(services, tx, { sessionId, state: session.state, held: { host, task, since: new Date(sinceMs) } });
};
