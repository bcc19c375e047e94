/**
 * The package of the session in session-packaged.json, as it was when that was recorded: the history goes with it, so
 * it does not change.
 */
const { defaultWorkflow } = require('parley');
const { sleep } = require('@temporalio/workflow');

exports.name = 'own';
exports.states = {
  ...defaultWorkflow.states,
  async PLANNED_MAINTENANCE(session) {
    const next = await defaultWorkflow.states.PLANNED_MAINTENANCE(session);
    return next === 'MAINTENANCE_COMPLETE' ? 'CHECKING' : next;
  },
  async CHECKING(session) {
    await sleep(1000);
    await session.runPlugins('post');
    return 'MAINTENANCE_COMPLETE';
  },
};
