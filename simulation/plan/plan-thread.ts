/** Makes one plan in a thread of its own, so that whoever asked for it goes on meanwhile. */
import { parentPort, workerData } from 'node:worker_threads';
import { makePlan } from './make-plan';
import type { PlanInput } from './plan';

parentPort?.postMessage(makePlan(workerData as PlanInput));
