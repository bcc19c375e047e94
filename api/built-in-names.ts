/** The workflow and action plug-ins that this version has, as create requests may name them. */
import { actionPlugins } from '../plugins/actions/registry';
import { startStates } from '../plugins/workflows/registry';
import type { KnownNames } from './services/check-names';

export const builtInNames: KnownNames = { workflows: startStates, actionPlugins: new Set(actionPlugins.keys()) };
