/** The kubernetes driver keeps the contract of cloud drivers, on a real API server. */
import { describeCloudContract } from '../integration/clouds/contract';
import { makeKubernetesRig } from './rig/contract-rig';

describeCloudContract(
  { name: 'kubernetes', actions: ['EVICTION', 'OWN_ACTION'], pollMs: 200, makesAgain: true },
  makeKubernetesRig,
);
