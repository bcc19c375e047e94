/** The built-in action plug-ins. */
import type { ActionPlugin } from './action-plugin';
import { dummy } from './dummy';
import { script } from './script';

export const actionPlugins: ReadonlyMap<string, ActionPlugin> = new Map(
  [dummy, script].map((plugin) => [plugin.name, plugin]),
);
