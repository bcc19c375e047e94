/** The sweeper: finishes the work that a killed process left half-done. A Temporal schedule keeps one running. */
import { sleep } from '@temporalio/workflow';
import { quick } from './activity-proxies';

const roundMs = 15_000;
/** Runs last an hour: that keeps the list of workflows and the histories short. */
const roundsPerRun = 240;

export const sweep = async (): Promise<void> => {
  for (let round = 0; round < roundsPerRun; round += 1) {
    await quick.sweepOnce();
    await sleep(roundMs);
  }
};
