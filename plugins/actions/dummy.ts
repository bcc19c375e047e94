/**
 * The action plug-in `dummy`: takes the place of the operator's work while you try a session. It takes
 * `metadata.seconds`, or else the host's maintenance time from the cloud, or else no time. Its first
 * `metadata.fail_times` runs on a host fail.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type ActionPlugin, ActionPluginFailure, type ActionPluginRun } from './action-plugin';

export const dummy: ActionPlugin = {
  name: 'dummy',
  async run(run) {
    const seconds = numberIn(run, 'seconds') ?? run.maintenanceSeconds ?? 0;
    await pause(seconds * 1000, undefined, { signal: run.signal });
    const failTimes = numberIn(run, 'fail_times') ?? 0;
    if (run.earlierAttempts < failTimes) {
      const attempt = run.earlierAttempts + 1;
      throw new ActionPluginFailure(`dummy was told to fail (run ${attempt} of metadata.fail_times ${failTimes})`);
    }
    return { state: `spent ${seconds.toFixed(1)} s` };
  },
};

const numberIn = ({ metadata }: ActionPluginRun, key: string): number | undefined => {
  const value = metadata[key];
  return typeof value === 'number' && value >= 0 ? value : undefined;
};
