/** The workflow and action plug-ins of this version, which create requests may name. */
import { actionPlugins } from '../plugins/actions/registry';
import { startStates } from '../plugins/workflows/registry';
import type { KnownNames } from './services/check-names';

export const builtInNames: KnownNames = { workflows: startStates, actionPlugins: new Set(actionPlugins.keys()) };
