/** An action plug-in from the session's packages: a JavaScript module that runs in its own process. */
import { type ActionPlugin, ActionPluginFailure } from './action-plugin';
import { runPluginProcess } from './plugin-process';

/** @param file of the module, within the session's files (plugins/downloads/package-contents.ts) */
export const downloadedPlugin = (name: string, file: string): ActionPlugin => ({
  name,
  async run(run) {
    const { directory } = run;
    if (directory === undefined) throw new ActionPluginFailure('the session has downloaded no packages');
    return runPluginProcess({ kind: 'module', file }, { ...run, directory });
  },
});
