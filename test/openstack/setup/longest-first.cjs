/**
 * Jest's order of the files on a real Nova. What takes long begins first, so that none is left alone at the end; Jest
 * by itself goes by the size of a file until it has seen it run.
 */
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** On a busy machine; it is their order that matters. One that is not listed begins first. */
const usualSeconds = {
  contract: 350,
  'session-default': 290,
  'field-client-default': 285,
  'field-client-vnf': 280,
  'session-vnf': 270,
  'failed-sessions': 220,
  'bad-days': 155,
  killed: 115,
  facts: 90,
  documents: 80,
  limits: 60,
  login: 30,
};

const secondsOf = ({ path: file }) => usualSeconds[path.basename(file, '.test.ts')] ?? Number.MAX_SAFE_INTEGER;

module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => secondsOf(other) - secondsOf(one));
  }
};
