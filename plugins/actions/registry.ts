/** The built-in action plug-ins. */
import type { ActionPlugin } from './action-plugin';
import { dummy } from './dummy';

export const actionPlugins: ReadonlyMap<string, ActionPlugin> = new Map([dummy].map((plugin) => [plugin.name, plugin]));
