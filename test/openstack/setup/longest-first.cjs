/**
 * Jest's order of the files on a real Nova. What takes long begins first, so that none is left alone at the end; Jest by
 * itself goes by the size of a file until it has seen it run.
 */
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Seconds, alone on two processors. */
const usualSeconds = {
  'session-vnf': 140,
  'session-default': 100,
  'field-client-default': 98,
  'field-client-vnf': 98,
  contract: 199,
  'bad-days': 158,
  'failed-sessions': 106,
  killed: 85,
  facts: 40,
  login: 12,
};

const secondsOf = ({ path: file }) => usualSeconds[path.basename(file, '.test.ts')] ?? 0;

module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => secondsOf(other) - secondsOf(one));
  }
};
