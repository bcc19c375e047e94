/** A package with a workflow `own` that has one state of its own, with this code, and then nothing left to do. */
import { aZip } from './a-zip';

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
