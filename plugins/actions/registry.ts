/** The built-in action plug-ins. */
import type { ActionPlugin } from './action-plugin';
import { dummy } from './dummy';
import { createJobPlugin } from './kubernetes/job';
import type { NodeJobs } from './kubernetes/node-jobs';
import { createRebootPlugin } from './kubernetes/reboot';
import { script } from './script';

/** @param jobs left out: there are no plug-ins that run Jobs */
export const builtInPlugins = (jobs?: NodeJobs): ReadonlyMap<string, ActionPlugin> => {
  const onNodes = jobs === undefined ? [] : [createJobPlugin(jobs), createRebootPlugin(jobs)];
  return new Map([dummy, script, ...onNodes].map((plugin) => [plugin.name, plugin]));
};

/** Names of the built-in plug-ins, for who runs none. */
export const namesOfPlugins = ({ hasJobs }: { readonly hasJobs: boolean }): ReadonlySet<string> =>
  new Set([dummy.name, script.name, ...(hasJobs ? ['job', 'reboot'] : [])]);
