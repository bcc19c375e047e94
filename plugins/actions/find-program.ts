/** Programs of the service that are run as they are, in processes of their own. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * From the sources a program lies in the folder of who runs it; compiled code finds it in the package's own folder.
 *
 * @param here the caller's folder
 * @param fromCompiled the way from the caller's folder in dist to the program's
 * @throws Error where the installation lacks it
 */
export const findProgram = (name: string, here: string, fromCompiled: string): string => {
  const candidates = ['.', fromCompiled].map((folder) => path.join(here, folder, name));
  const file = candidates.find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${name} is missing: none of ${candidates.join(', ')} exists`);
  return file;
};
