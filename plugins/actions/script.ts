/**
 * The action plug-in `script`: runs an executable of the session's packages, `metadata.script`, by its path within
 * `actions`. The script finds host, session and metadata in its environment. Its exit code decides.
 */
import { findScript } from '../downloads/package-contents';
import { type ActionPlugin, ActionPluginFailure, type ActionPluginRun } from './action-plugin';
import { runPluginProcess } from './plugin-process';

export const script: ActionPlugin = {
  name: 'script',
  async run(run) {
    const { directory } = run;
    if (directory === undefined) throw new ActionPluginFailure('the session has downloaded no package with scripts');
    return runPluginProcess({ kind: 'script', file: await fileOf(run, directory) }, { ...run, directory });
  },
};

const fileOf = async ({ metadata }: ActionPluginRun, directory: string): Promise<string> => {
  const name = scriptOf(metadata);
  const file = name === undefined ? undefined : await findScript(directory, name);
  if (file === undefined) {
    throw new ActionPluginFailure(`metadata.script ${JSON.stringify(name)} is not an executable file of the packages`);
  }
  return file;
};

/** The script that an action names; undefined when it names none. */
export const scriptOf = (metadata: Readonly<Record<string, unknown>>): string | undefined =>
  typeof metadata['script'] === 'string' && metadata['script'] !== '' ? metadata['script'] : undefined;
