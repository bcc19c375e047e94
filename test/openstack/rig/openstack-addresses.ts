/** The real OpenStack that the tests of a run share; the global set-up starts it (../setup/start.ts). */
export interface OpenStackAddresses {
  /** With /v3. */
  readonly keystone: string;
  /** With /v2.1. */
  readonly nova: string;
  readonly placement: string;
  /** Of the switches (python/switches.py). */
  readonly switches: string;
  /** Of every user there is. */
  readonly password: string;
}

const variable = 'PARLEY_TEST_OPENSTACK';

/** Passes the addresses on to the test files. */
export const announceOpenStack = (addresses: OpenStackAddresses): void => {
  process.env[variable] = JSON.stringify(addresses);
};

export const testOpenStack = (): OpenStackAddresses => {
  const announced = process.env[variable];
  if (announced === undefined) throw new Error('no OpenStack is started: run `npm run test:openstack`');
  return JSON.parse(announced) as OpenStackAddresses;
};
