/** Not a test: `npm run histories:record` runs the recorder on the integration tests' services. */
const { projects, testTimeout } = require('../../../jest.config.cjs');

module.exports = {
  ...projects.find(({ displayName }) => displayName === 'integration'),
  testTimeout,
  displayName: 'histories',
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/integration/histories/record-histories.ts'],
};
