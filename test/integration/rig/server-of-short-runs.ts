/**
 * A Temporal server of its own that suggests a new run after a few events, so that every session is a chain of runs.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { findTemporalProgram } from '../../../cli/stack/temporal-program';

const serverArgs = [
  'limit.historyCount.suggestContinueAsNew=40',
  // The following are settings of Parley's own server (cli/stack/temporal-server.ts).
  'system.enableActivityEagerExecution=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
].flatMap((value) => ['--dynamic-config-value', value]);

export const startServerOfShortRuns = async (): Promise<TestWorkflowEnvironment> => {
  const path = await findTemporalProgram({ env: process.env, tell: () => undefined });
  return TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path }, extraArgs: serverArgs },
  });
};
