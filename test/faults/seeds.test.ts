/**
 * The fault run: twenty seeds, each of which kills api, worker, Temporal, PostgreSQL and Kafka (kill -9) one after the
 * other while a session runs. PARLEY_FAULTS_SEEDS repeats some of them: numbers, separated by commas.
 */
import { fleetOfTwelve } from '../integration/faults/fault-fleet';
import { testFaults } from '../integration/faults/fault-tests';

const all = Array.from({ length: 20 }, (_, index) => index + 1);
const given = process.env['PARLEY_FAULTS_SEEDS'] ?? '';
const seeds = given === '' ? all : given.split(',').map(Number);
if (!seeds.every(Number.isInteger)) throw new Error(`PARLEY_FAULTS_SEEDS is ${given}: give numbers, such as 7,12`);

testFaults(seeds, fleetOfTwelve);
