/** Makes one plan in a thread of its own, so that whoever asked for it goes on meanwhile. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { makePlan } from './make-plan';
import type { PlanInput } from './plan';

// Lets the threads that answer requests go first. Only Linux gives each thread a priority of its own.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.postMessage(makePlan(workerData as PlanInput));
