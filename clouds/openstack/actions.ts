/** The actions of Nova: those of a cloud of virtual machines. */
import type { CloudActions } from '../../rules/cloud/cloud-facts';

const offered: CloudActions['offered'] = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'];

export const openStackActions: CloudActions = {
  offered,
  migrationTypes: offered,
  default: 'LIVE_MIGRATE',
  forced: 'MIGRATE',
};
