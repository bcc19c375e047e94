/**
 * Gives a process that a test starts the run's PATH, its folder for temporary files (run-folder.ts) and its cache of
 * compiled code. Parley's settings on this machine do not reach the process.
 */
export const environmentOfRun = () => {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return { PATH, TMPDIR, NODE_COMPILE_CACHE };
};
