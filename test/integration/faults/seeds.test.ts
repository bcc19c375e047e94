/** api, worker, Temporal, PostgreSQL and Kafka killed (kill -9) one after the other while a session runs: some seeds. */
import { testFaults } from './fault-tests';

testFaults([1, 2, 4]);
