/** The package's folder, for its sources and for dist. */
import { existsSync } from 'node:fs';
import path from 'node:path';

const rootAbove = (folder: string): string => {
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error(`no package.json in a folder above ${__dirname}`);
  return rootAbove(parent);
};

export const packageRoot: string = rootAbove(__dirname);
