/**
 * api, worker, Temporal, PostgreSQL and Kafka killed (kill -9) one after the other while a session runs, as one seed of
 * the fault run has it (test/faults). A file of its own, since it takes long, most of it waiting.
 */
import { fleetOfSeven } from './fault-fleet';
import { testFaults } from './fault-tests';

testFaults([4], fleetOfSeven);
