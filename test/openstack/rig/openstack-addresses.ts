/** The real OpenStack of a test file: the global set-up starts one for each of Jest's workers (../setup/start.ts). */
export interface OpenStackAddresses {
  /** With /v3. All clouds of a run have one Keystone. */
  readonly keystone: string;
  /** The region in the catalogue: each cloud is a region. */
  readonly region: string;
  /** With /v2.1. */
  readonly nova: string;
  readonly placement: string;
  /** The address of the switches (python/switches.py). */
  readonly switches: string;
  /** The password of every user. */
  readonly password: string;
}

const variable = 'PARLEY_TEST_OPENSTACK';

/** Passes the addresses on to the test files. */
export const announceOpenStack = (clouds: readonly OpenStackAddresses[]): void => {
  process.env[variable] = JSON.stringify(clouds);
};

/** The cloud that no other worker of Jest has; the first one outside Jest. */
export const testOpenStack = (): OpenStackAddresses => {
  const announced = process.env[variable];
  if (announced === undefined) throw new Error('no OpenStack is started: run `npm run test:openstack`');
  const clouds = JSON.parse(announced) as OpenStackAddresses[];
  const worker = Number(process.env['JEST_WORKER_ID'] ?? '1');
  const cloud = clouds[worker - 1];
  if (cloud === undefined) {
    throw new Error(`worker ${worker} of Jest has no OpenStack, there are ${clouds.length}: pass --maxWorkers`);
  }
  return cloud;
};
