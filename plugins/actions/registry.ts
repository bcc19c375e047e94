/** The built-in action plug-ins. */
import { judgeHold, nameOfHold } from '../../rules/holds/hold';
import type { ActionPlugin } from './action-plugin';
import { dummy } from './dummy';
import { createJobPlugin } from './kubernetes/job';
import { type JudgedMetadata, judgeJob, judgeReboot } from './kubernetes/job-metadata';
import type { NodeJobs } from './kubernetes/node-jobs';
import { createRebootPlugin } from './kubernetes/reboot';
import { script } from './script';

/** @param jobs left out: there are no plug-ins that run Jobs */
export const builtInPlugins = (jobs?: NodeJobs): ReadonlyMap<string, ActionPlugin> => {
  const withJobs = jobs === undefined ? [] : [createJobPlugin(jobs), createRebootPlugin(jobs)];
  return new Map([dummy, script, ...withJobs].map((plugin) => [plugin.name, plugin]));
};

type PluginMetadata = Readonly<Record<string, unknown>>;

/** The plug-ins that run Jobs, each with the judge of its metadata. */
const onNodes = new Map<string, (metadata: PluginMetadata) => JudgedMetadata<unknown>>([
  ['job', judgeJob],
  ['reboot', judgeReboot],
]);

/** Names of the built-in plug-ins, for who runs none. A person does the work of `hold`, so no program has that name. */
export const namesOfPlugins = ({ hasJobs }: { readonly hasJobs: boolean }): ReadonlySet<string> =>
  new Set([dummy.name, script.name, nameOfHold, ...(hasJobs ? onNodes.keys() : [])]);

/** Finds a fault that the cluster would tell only when the host is maintained. Undefined: there is none. */
export const faultOfMetadata = (plugin: string, metadata: PluginMetadata): string | undefined => {
  const judged = plugin === nameOfHold ? judgeHold(metadata) : onNodes.get(plugin)?.(metadata);
  return judged !== undefined && 'fault' in judged ? judged.fault : undefined;
};
