/** The workflow and action plug-ins that this version has, as create requests may name them. */
import type { KnownNames } from './services/check-names';

export const builtInNames: KnownNames = {
  workflows: new Map([
    [
      'default',
      [
        'MAINTENANCE',
        'SCALE_IN',
        'PREPARE_MAINTENANCE',
        'START_MAINTENANCE',
        'PLANNED_MAINTENANCE',
        'MAINTENANCE_COMPLETE',
      ],
    ],
  ]),
  actionPlugins: new Set(['dummy']),
};
