/** The openstack driver keeps the contract of cloud drivers, on a real Nova behind a real Keystone. */
import { describeCloudContract } from '../integration/clouds/contract';
import { makeOpenStackRig } from './rig/contract-rig';

describeCloudContract(
  { name: 'openstack', actions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'], pollMs: 500 },
  makeOpenStackRig,
);
