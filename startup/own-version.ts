/** The version of this build, as package.json tells it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Finds the file from the sources and from dist/startup. */
const packageFile = (): string => {
  const [beside = '', above = ''] = ['../package.json', '../../package.json'].map((file) => path.join(__dirname, file));
  try {
    return readFileSync(beside, 'utf8');
  } catch {
    return readFileSync(above, 'utf8');
  }
};

export const ownVersion = (): string => (JSON.parse(packageFile()) as { readonly version: string }).version;
