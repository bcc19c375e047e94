/** The real services that the integration tests run against; the global set-up starts them (start.ts). */
export interface TestServices {
  /** The server's maintenance database; a test makes its own with `createTestDatabase`. */
  readonly postgresUrl: string;
  readonly temporalAddress: string;
  readonly kafkaBrokers: readonly string[];
  /** The folder of the run: everything below it is removed when the run ends. */
  readonly folder: string;
  /** The workflows' bundle as they are now, a file: made once, since it takes seconds. */
  readonly workflowBundle: string;
}

const variable = 'PARLEY_TEST_SERVICES';

/** Passes the addresses on to the test files, which Jest runs in other processes. */
export const announceServices = (services: TestServices): void => {
  process.env[variable] = JSON.stringify(services);
};

export const testServices = (): TestServices => {
  const announced = process.env[variable];
  if (announced === undefined) throw new Error('the services are not started: run `npm run test:integration`');
  return JSON.parse(announced) as TestServices;
};
