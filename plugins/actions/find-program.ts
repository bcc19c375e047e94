/** Finds the service's programs that run in processes of their own. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * When the sources run, a program lies in its caller's folder. Compiled code finds it in the package's folder.
 *
 * @param here the caller's folder
 * @param fromCompiled the way from the caller's folder in dist to the program's
 * @throws Error when the installation lacks the program
 */
export const findProgram = (name: string, here: string, fromCompiled: string): string => {
  const candidates = ['.', fromCompiled].map((folder) => path.join(here, folder, name));
  const file = candidates.find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${name} is missing: none of ${candidates.join(', ')} exists`);
  return file;
};
