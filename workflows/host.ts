/**
 * The work on one host: disable it, ask, carry out what was granted, maintain, enable. This workflow never decides: the
 * host's row and its claims contain its orders, and it continues from them after a crash or a reset.
 */
import {
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  rootCause,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { HostOrders } from '../activities/hosts/host-orders';
import { abort, type HostInput } from '../temporal/workflow-messages';
import { drains, pluginRuns, quick } from './activity-proxies';
import { toldFailure } from './told-failure';
import { listenForWakeUps, type WakeUps } from './wake-ups';

export const hostWork = async (input: HostInput): Promise<string> => {
  const wakeUps = listenForWakeUps();
  const plugins = new CancellationScope();
  setHandler(abort, () => {
    plugins.cancel();
    wakeUps.note();
  });
  const failure = await workOn({ input, wakeUps, plugins });
  // Shows the failure in the list of Temporal Web UI.
  if (failure !== undefined) throw toldFailure(failure, 'HostFailed');
  return 'over';
};

interface LiveHost {
  readonly input: HostInput;
  readonly wakeUps: WakeUps;
  /** The scope of the running action plug-in; an abort cancels it. */
  readonly plugins: CancellationScope;
}

/** @returns the reason why the host failed; undefined when it is done, or was given back without a failure */
const workOn = async (host: LiveHost): Promise<string | undefined> => {
  const { input } = host;
  try {
    await quick.disableHost(input);
    return await followOrders(host);
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const reason = rootCause(error) ?? String(error);
    await quick.failHost({ ...input, reason });
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

/** @returns the reason why the host failed, from its row; undefined when it did not fail */
const followOrders = async (host: LiveHost): Promise<string | undefined> => {
  const { input, wakeUps } = host;
  for (;;) {
    wakeUps.forget(); // the activity looks at everything that happened until now
    const { kind, failure, lookAgainMs } = await drains.attendHost(input);
    if (await follow(host, kind)) return failure;
    await wakeUps.within(lookAgainMs);
    // A host may wait for days; the next run continues from its row.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof hostWork>(input);
  }
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

/** True when the host is done; false when it has to look at its orders again. */
const maintain = async ({ input, plugins }: LiveHost): Promise<boolean> => {
  if (!(await quick.beginMaintenance(input))) return false;
  try {
    // What came to the host is to be asked about, or moved.
    if (!(await plugins.run(() => runHostPlugins(input)))) return false;
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
 * the host, or a person works on it, so that the others have not run.
 */
const runHostPlugins = async ({ sessionId, hostname }: HostInput): Promise<boolean> => {
  const positions = await quick.listPlugins({ sessionId, hostname, types: ['host', 'compute', 'controller'] });
  for (const position of positions) {
    const left = await pluginRuns.runPlugin({ sessionId, hostname, position });
    if (left === 'occupied' || left === 'held') return false;
  }
  return true;
};
