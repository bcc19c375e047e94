/** The actions of the simulated cloud: those of a cloud of virtual machines. */
import type { CloudActions } from '../cloud/cloud-facts';

export const simulatedActions = {
  // EVICTION is taken, so that what a project stores for a container orchestrator can be tried.
  migrationTypes: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION', 'EVICTION'],
  offered: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
  default: 'LIVE_MIGRATE',
  forced: 'MIGRATE',
} as const satisfies CloudActions;
