/**
 * What a process that a test starts takes over from the run: where programs are, the run's folder for temporary files,
 * and what Node.js keeps compiled. Settings of Parley that this machine has do not reach it.
 */
const names = ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'] as const;

export const environmentOfRun = (): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
