// Checks that a host came back with the wanted release. The name of the file is the name of the plug-in.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export default {
  name: 'check-release',
  async run({ host, metadata, directory, signal, log }) {
    const release = (await readFile(path.join(directory, 'release.txt'), 'utf8')).trim();
    log(`asking ${host.name} for its release`);
    signal.throwIfAborted();
    if (metadata.least_release > release) {
      throw new Error(`${host.name} has release ${release}, less than ${metadata.least_release}`);
    }
    return { state: `release ${release}` };
  },
};
