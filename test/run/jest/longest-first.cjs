/**
 * Jest's order of the files where several run at once. What takes long begins first, so that none is left alone at the
 * end. Jest by itself goes by the size of a file until it has seen it run, which on a fresh clone it never has: listed
 * are the files on a real Nova, and those of the integration tests that are small and take long.
 */
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** On a busy machine; it is their order that matters. The others follow in Jest's order. */
const usualSeconds = {
  'openstack/contract': 350,
  'openstack/session-default': 290,
  'openstack/field-client-default': 285,
  'openstack/field-client-vnf': 280,
  'openstack/session-vnf': 270,
  'openstack/failed-sessions': 220,
  'openstack/bad-days': 155,
  'openstack/after-live': 110,
  'openstack/killed': 115,
  'openstack/rights': 100,
  'openstack/facts': 90,
  'openstack/documents': 80,
  'openstack/limits': 60,
  'openstack/own-action': 45,
  'openstack/host-content': 45,
  'openstack/login': 30,
  'integration/bad-days/slow-cloud': 110,
  'integration/sessions/workflow-packages-kept': 105,
  'integration/faults/both-workflows': 75,
  'integration/sessions/workflow-packages-broken': 65,
  'integration/faults/moments': 55,
  'integration/sessions/workflow-packages-chain': 45,
  'integration/requests/pause-outlives': 40,
};

const secondsOf = ({ path: file, context }) =>
  usualSeconds[path.relative(path.join(context.config.rootDir, 'test'), file).replace('.test.ts', '')] ?? 0;

module.exports = class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => secondsOf(other) - secondsOf(one));
  }
};
