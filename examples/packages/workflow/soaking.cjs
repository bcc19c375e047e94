/**
 * A workflow of one's own: that of `default`, with a state SOAKING after the work on the hosts. In this state the
 * session watches the maintained fleet for a while (`metadata.soak_seconds` of the session), and then its `post`
 * plug-ins check it, before the projects are told to scale back. When a check fails, the session fails in SOAKING and
 * can be resumed from there.
 */
const { defaultWorkflow } = require('parley');
const { sleep } = require('@temporalio/workflow');
const { soakSeconds } = require('./lib/soak-seconds.cjs');

/** The default's next state, but SOAKING instead of MAINTENANCE_COMPLETE. */
const soakBeforeComplete = (state) => async (session) => {
  const next = await defaultWorkflow.states[state](session);
  return next === 'MAINTENANCE_COMPLETE' ? 'SOAKING' : next;
};

module.exports = {
  name: 'soaking',
  states: {
    ...defaultWorkflow.states,
    START_MAINTENANCE: soakBeforeComplete('START_MAINTENANCE'),
    PLANNED_MAINTENANCE: soakBeforeComplete('PLANNED_MAINTENANCE'),
    async SOAKING(session) {
      await sleep(soakSeconds(session.metadata) * 1000);
      await session.runPlugins('post');
      return 'MAINTENANCE_COMPLETE';
    },
  },
};
