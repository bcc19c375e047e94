/** Not a test: `npm run histories:record` and `npm run upgrade:record` run their recorder on services of the tests. */
const { projects, testTimeout } = require('../../jest.config.cjs');

module.exports = {
  ...projects.find(({ displayName }) => displayName === 'integration'),
  testTimeout,
  displayName: 'recorded',
  rootDir: '../..',
  testMatch: ['histories/record-histories', 'upgrade/record-upgrade'].map(
    (recorder) => `<rootDir>/test/integration/${recorder}.ts`,
  ),
};
