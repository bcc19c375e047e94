/** The built-in action plug-ins. */
import { judgeHold, nameOfHold } from '../../rules/holds/hold';
import type { ActionPlugin } from './action-plugin';
import { dummy } from './dummy';
import type { OtherSystems } from './http/ask';
import { createHttpPlugin, nameOfHttp } from './http/http';
import { judgeHttp } from './http/http-metadata';
import { createJobPlugin } from './kubernetes/job';
import { judgeJob, judgeReboot } from './kubernetes/job-metadata';
import type { NodeJobs } from './kubernetes/node-jobs';
import { createRebootPlugin } from './kubernetes/reboot';
import { script } from './script';

/** Systems that plug-ins reach from the worker. A plug-in whose system is left out does not exist. */
export interface ReachOfPlugins {
  readonly jobs?: NodeJobs | undefined;
  readonly systems?: OtherSystems | undefined;
}

export const builtInPlugins = ({ jobs, systems }: ReachOfPlugins = {}): ReadonlyMap<string, ActionPlugin> => {
  const withJobs = jobs === undefined ? [] : [createJobPlugin(jobs), createRebootPlugin(jobs)];
  const withHttp = systems === undefined ? [] : [createHttpPlugin(systems)];
  return new Map([dummy, script, ...withHttp, ...withJobs].map((plugin) => [plugin.name, plugin]));
};

type PluginMetadata = Readonly<Record<string, unknown>>;

const namesOnNodes = ['job', 'reboot'];

/** The judges of metadata, for the plug-ins that have one. */
const judges = new Map<string, (metadata: PluginMetadata) => { readonly fault: string } | object>([
  ['job', judgeJob],
  ['reboot', judgeReboot],
  [nameOfHold, judgeHold],
  [nameOfHttp, judgeHttp],
]);

/** Names of the built-in plug-ins, for who runs none. A person does the work of `hold`, so no program has that name. */
export const namesOfPlugins = (has: { readonly jobs: boolean; readonly http: boolean }): ReadonlySet<string> =>
  new Set([
    ...[dummy.name, script.name, nameOfHold],
    ...(has.http ? [nameOfHttp] : []),
    ...(has.jobs ? namesOnNodes : []),
  ]);

/** Finds a fault that the cluster would tell only when the host is maintained. Undefined: there is none. */
export const faultOfMetadata = (plugin: string, metadata: PluginMetadata): string | undefined => {
  const judged = judges.get(plugin)?.(metadata);
  return judged !== undefined && 'fault' in judged ? judged.fault : undefined;
};
