/**
 * The work on one host: disable it, ask, carry out what was granted, maintain, enable. This workflow never decides: the
 * host's row and its claims contain its orders, and it continues from them after a crash or a reset.
 */
import {
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  patched,
  rootCause,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { HostOrders } from '../activities/hosts/host-orders';
import { longestWaitMs } from '../rules/decisions/look-again';
import { abort, type HostInput, sessionWorkflowId, wakeUp } from '../temporal/workflow-messages';
import { pluginRuns, quick, slow } from './activity-proxies';
import { toldFailure } from './told-failure';
import { listenForWakeUps, type WakeUps } from './wake-ups';

export const hostWork = async (input: HostInput): Promise<string> => {
  const wakeUps = listenForWakeUps();
  const plugins = new CancellationScope();
  setHandler(abort, () => {
    plugins.cancel();
    wakeUps.note();
  });
  const host: LiveHost = { input, wakeUps, plugins, actions: new Set(), isAttended: false };
  const failure = await workOn(host);
  await report(host);
  // Shows the failure in the list of Temporal Web UI. May go when no host's workflow of a version without it runs
  // (docs/design/versions.md).
  if (failure !== undefined && patched('failed-host-fails-its-workflow')) {
    throw toldFailure(failure, 'HostFailed');
  }
  return 'over';
};

/** @returns the reason why the host failed; undefined when it is done, or was given back without a failure */
const workOn = async (host: LiveHost): Promise<string | undefined> => {
  const { input } = host;
  try {
    host.isAttended = (await quick.disableHost(input)) === 'attend';
    await report(host);
    return await followOrders(host);
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const reason = rootCause(error) ?? String(error);
    await quick.failHost({ ...input, reason });
    await report(host);
    return (await giveBackIfOrdered(host)) ?? reason;
  }
};

/** A host that failed while it was drained goes back to use. When enabling it fails as well, it stays disabled. */
const giveBackIfOrdered = async (host: LiveHost): Promise<string | undefined> => {
  try {
    return await followOrders(host);
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const reason = rootCause(error) ?? String(error);
    await quick.failHost({ ...host.input, reason, isLast: true });
    return reason;
  }
};

interface LiveHost {
  readonly input: HostInput;
  readonly wakeUps: WakeUps;
  /** The scope of the running action plug-in; an abort cancels it. */
  readonly plugins: CancellationScope;
  /**
   * True: one activity attends the host while it is drained, and activities wake the session. Histories from before
   * that have an activity for each look and each move. Their path may go when no host's workflow of a version without
   * it runs (docs/design/versions.md).
   */
  isAttended: boolean;
  /** The claims whose action this run carries out, when it is not attended. */
  readonly actions: Set<string>;
}

/** @returns the reason why the host failed, from its row; undefined when it did not fail */
const followOrders = async (host: LiveHost): Promise<string | undefined> => {
  for (;;) {
    const orders = await nextOrders(host);
    if (orders.report) await report(host);
    if (host.actions.size === 0 && (await follow(host, orders.kind))) return orders.failure;
    await host.wakeUps.within(untilNextLook(host, orders));
    await continueAsNewWhenLong(host);
  }
};

const nextOrders = async (host: LiveHost): Promise<HostOrders> => {
  if (host.isAttended) {
    host.wakeUps.forget(); // it looks at everything that happened until now
    return slow.attendHost(host.input);
  }
  const orders = await quick.tendHost(host.input);
  for (const claimId of orders.actions) startAction(host, claimId);
  return orders;
};

/** True when the host is done: its workflow ends. */
const follow = async (host: LiveHost, order: HostOrders['kind']): Promise<boolean> => {
  switch (order) {
    case 'empty':
      return false;
    case 'maintain':
      return maintain(host);
    case 'enable':
      return finish(host.input);
    case 'release':
      await quick.giveBackHost(host.input);
      return true;
    case 'over':
      return true;
  }
};

/** A run cannot continue as new during an action, which may take hours: its history grows slowly once it is long. */
const untilNextLook = ({ actions }: LiveHost, { lookAgainMs }: HostOrders): number =>
  actions.size > 0 && workflowInfo().continueAsNewSuggested ? Math.max(longestWaitMs, lookAgainMs) : lookAgainMs;

/** A host may wait for days; the next run continues from its row. */
const continueAsNewWhenLong = async ({ input, actions }: LiveHost): Promise<void> => {
  if (actions.size === 0 && workflowInfo().continueAsNewSuggested) await continueAsNew<typeof hostWork>(input);
};

/** The actions of a host run side by side. Each reports through the row of its claim. */
const startAction = (host: LiveHost, claimId: string): void => {
  const { actions, wakeUps } = host;
  if (actions.has(claimId)) return;
  actions.add(claimId);
  const over = () => {
    actions.delete(claimId);
    wakeUps.note();
  };
  void carryOut(host, claimId).then(over, over);
};

const carryOut = async (host: LiveHost, claimId: string): Promise<void> => {
  const { input } = host;
  const outcome = await slow.carryOutAction({ ...input, claimId });
  if (outcome === 'fallBack') await slow.forceAction({ ...input, claimId });
  await report(host);
};

/** True when the host is done; false when it has to look at its orders again. */
const maintain = async (host: LiveHost): Promise<boolean> => {
  const { input, plugins } = host;
  const begun = await quick.beginMaintenance(input);
  await report(host);
  if (!begun) return false;
  try {
    if (!(await plugins.run(() => runHostPlugins(input)))) {
      await report(host); // what came is to be asked about, or moved
      return false;
    }
  } catch (error) {
    if (isCancellation(error)) return false; // aborted: the orders now say to give the host back
    throw error;
  }
  return finish(input);
};

/** False while the host may not be enabled, or is not up. */
const finish = async (input: HostInput): Promise<boolean> => (await quick.finishMaintenance(input)) !== 'notYet';

/**
 * `host` for every host, then `compute`, then `controller`; alphabetical within a type. False when something came to
 * the host, so that the others have not run.
 */
const runHostPlugins = async ({ sessionId, hostname }: HostInput): Promise<boolean> => {
  const positions = await quick.listPlugins({ sessionId, hostname, types: ['host', 'compute', 'controller'] });
  for (const position of positions) {
    if ((await pluginRuns.runPlugin({ sessionId, hostname, position })) === 'occupied') return false;
  }
  return true;
};

/** Wakes the session. When the signal is lost, the session looks by itself. */
const report = async ({ isAttended, input: { sessionId } }: LiveHost): Promise<void> => {
  if (isAttended) return; // its activities have done so
  try {
    await getExternalWorkflowHandle(sessionWorkflowId(sessionId)).signal(wakeUp);
  } catch {
    // The session's workflow is closed at present (failed, or about to be reset): its next run looks at the row.
  }
};
