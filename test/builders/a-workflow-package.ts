/** A package with a workflow `own` that has one state of its own, with this code, and then nothing left to do. */
import { aZip } from './a-zip';

/** Code that never ends, but sleeps in between: each attempt to run it would else take a processor for five seconds. */
export const endlessLoop = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);';

export const aWorkflowPackage = (code: string, { comment = '', state = 'WATCHING' } = {}) =>
  aZip([
    {
      name: 'own.js',
      content: `// ${comment}
const { sleep } = require('@temporalio/workflow');
exports.name = 'own';
exports.states = {
  async ${state}(session) { ${code} },
  async MAINTENANCE_COMPLETE() { return 'MAINTENANCE_DONE'; },
};`,
    },
  ]);
