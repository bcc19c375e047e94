const swc = (syntax) => ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax } }, module: { type: 'commonjs' } }];

/** Packages that exist only as ES modules, which Jest cannot require. */
const esModules = '/node_modules/(?:commander|jose|@prisma/schema-engine-wasm)/';

const common = {
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': swc('typescript'), [`${esModules}.+\\.js$`]: swc('ecmascript') },
  transformIgnorePatterns: ['/node_modules/(?!(?:commander|jose|@prisma/schema-engine-wasm)/)'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/production/'],
  // Not in the folder for temporary files, which differs in each run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};

/**
 * unit: no services. sessions: whole sessions in virtual time, over random fleets, without services. integration: real
 * PostgreSQL, Temporal and Kafka, started by the set-up. faults: the long runs in which processes are killed, on the
 * same. endpoints: PostgreSQL, Kafka and Temporal with TLS, certificates and logins. openstack: real PostgreSQL,
 * Temporal, Kafka, Keystone and Nova; each worker of Jest has its own Nova, and there are three
 * (test/openstack/setup/start.ts).
 */
module.exports = {
  reporters: ['default', '<rootDir>/test/run/failure-reporter.cjs'],
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
    { ...common, displayName: 'sessions', testMatch: ['<rootDir>/test/sessions/**/*.test.ts'] },
    {
      ...common,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
      globalSetup: '<rootDir>/test/integration/setup/start.ts',
      globalTeardown: '<rootDir>/test/integration/setup/stop.ts',
      setupFilesAfterEnv: ['<rootDir>/test/integration/setup/each-file.ts'],
    },
    {
      ...common,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
      globalSetup: '<rootDir>/test/integration/setup/start.ts',
      globalTeardown: '<rootDir>/test/integration/setup/stop.ts',
      setupFilesAfterEnv: ['<rootDir>/test/integration/setup/each-file.ts'],
    },
    {
      ...common,
      displayName: 'endpoints',
      testMatch: ['<rootDir>/test/endpoints/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/integration/setup/each-file.ts'],
    },
    {
      ...common,
      displayName: 'openstack',
      testMatch: ['<rootDir>/test/openstack/**/*.test.ts'],
      globalSetup: '<rootDir>/test/openstack/setup/start.ts',
      globalTeardown: '<rootDir>/test/integration/setup/stop.ts',
      setupFilesAfterEnv: ['<rootDir>/test/openstack/setup/each-file.ts'],
    },
  ],
};
