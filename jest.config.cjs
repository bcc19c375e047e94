const swc = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } };

const common = {
  // All files of a worker of Jest share its realm and its packages: `test:sessions` costs half of what it would else.
  testEnvironment: '<rootDir>/test/run/jest/environment.cjs',
  runtime: '<rootDir>/test/run/jest/runtime.cjs',
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  // A module that is loaded late is imported by the name that it has once it is built.
  moduleNameMapper: { '^(\\./[\\w-]+)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/production/'],
  // Not in the folder for temporary files, which differs in each run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};

/**
 * unit: no services. sessions: whole sessions in virtual time, over random fleets, without services. integration: real
 * PostgreSQL, Temporal and Kafka, started by the set-up. faults: the long runs in which processes are killed, on the
 * same. endpoints: PostgreSQL, Kafka and Temporal with TLS, certificates and logins. openstack: real PostgreSQL,
 * Temporal, Kafka, Keystone and Nova; each worker of Jest has its own Nova, and there are three
 * (test/openstack/setup/start.ts). guests: the same with one Nova, whose guests QEMU runs. kubernetes: real PostgreSQL
 * and Temporal, and a real control plane of Kubernetes. kubelets: the same, with nodes that run.
 */
module.exports = {
  // Every wait in a test ends by itself before, and its error says what it waited for (test/waiting/eventually.ts).
  // This limit only ends a test that hangs without waiting. Jest reads it here alone, not in a project.
  testTimeout: 15 * 60_000,
  testSequencer: '<rootDir>/test/run/jest/longest-first.cjs',
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
    },
    {
      ...common,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
      globalSetup: '<rootDir>/test/integration/setup/start.ts',
      globalTeardown: '<rootDir>/test/integration/setup/stop.ts',
    },
    {
      ...common,
      displayName: 'endpoints',
      testMatch: ['<rootDir>/test/endpoints/**/*.test.ts'],
    },
    {
      ...common,
      displayName: 'openstack',
      testMatch: ['<rootDir>/test/openstack/**/*.test.ts'],
      globalSetup: '<rootDir>/test/openstack/setup/start.ts',
      globalTeardown: '<rootDir>/test/integration/setup/stop.ts',
      setupFilesAfterEnv: ['<rootDir>/test/openstack/setup/each-file.ts'],
    },
    {
      ...common,
      displayName: 'guests',
      testMatch: ['<rootDir>/test/guests/**/*.test.ts'],
      globalSetup: '<rootDir>/test/guests/setup/start.ts',
      globalTeardown: '<rootDir>/test/integration/setup/stop.ts',
    },
    {
      ...common,
      displayName: 'kubernetes',
      testMatch: ['<rootDir>/test/kubernetes/**/*.test.ts'],
      globalSetup: '<rootDir>/test/kubernetes/setup/start.ts',
      globalTeardown: '<rootDir>/test/integration/setup/stop.ts',
    },
    {
      ...common,
      displayName: 'kubelets',
      testMatch: ['<rootDir>/test/kubelets/**/*.test.ts'],
      globalSetup: '<rootDir>/test/kubelets/setup/start.ts',
      globalTeardown: '<rootDir>/test/integration/setup/stop.ts',
    },
  ],
};
