/** The sweeper: finishes what a killed process left half-done. A Temporal schedule keeps one running. */
import { sleep } from '@temporalio/workflow';
import { quick } from './activity-proxies';

const roundMs = 15_000;
/** An hour a run: few runs in the list of workflows, and short histories. */
const roundsPerRun = 240;

export const sweep = async (): Promise<void> => {
  for (let round = 0; round < roundsPerRun; round += 1) {
    await quick.sweepOnce();
    await sleep(roundMs);
  }
};
