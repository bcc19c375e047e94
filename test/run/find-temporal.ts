/** Finds Temporal's dev server for the tests, or installs it into the user's cache once. */
import { findTemporalProgram } from '../../cli/stack/temporal-program';

/** A build with Go takes all processors: what makes the servers of a run cheaper (run-folder.ts) is not for it. */
export const findTestTemporal = (): Promise<string> => {
  const env = { ...process.env };
  delete env['GOMAXPROCS'];
  delete env['GOGC'];
  return findTemporalProgram({ env, tell: (line) => console.log(line) });
};
