/**
 * api, worker, Temporal, PostgreSQL and Kafka killed (kill -9) one after the other, as one seed of the fault run has it
 * (test/faults), while a session of each workflow runs.
 */
import { fleetOfSeven } from './fault-fleet';
import { testBothWorkflows } from './fault-tests';

testBothWorkflows(2, {
  fleet: fleetOfSeven,
  hosts: {
    default: ['compute-1', 'compute-2', 'compute-3', 'compute-6'],
    vnf: ['compute-4', 'compute-5', 'controller-1'],
  },
});
