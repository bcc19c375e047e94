/** The openstack driver on the rig's cloud, as a process would open it from its environment. */
import type { CloudDriver } from '../../../clouds/cloud-driver';
import { openCloud } from '../../../clouds/registry';
import { loadSettings } from '../../../config/settings';
import type { Database } from '../../../prisma/database';
import { testOpenStack } from './openstack-addresses';

/** The OS_* variables of the service's own user. */
export const openStackEnvironment = (): Record<string, string> => {
  const { keystone, region, password } = testOpenStack();
  return {
    PARLEY_CLOUD: 'openstack',
    OS_AUTH_URL: keystone,
    OS_USERNAME: 'parley',
    OS_PASSWORD: password,
    OS_PROJECT_NAME: 'admin',
    OS_REGION_NAME: region,
  };
};

/** A test calls the driver itself, and nobody repeats a call that a busy machine did not answer in time. */
const patience = { PARLEY_OPENSTACK_TIMEOUT_SECONDS: '60' };

export const openDriver = (db: Database, environment: Readonly<Record<string, string>> = {}): CloudDriver => {
  const env = { DATABASE_URL: 'postgresql://set@by-the-test:1/none', ...patience, ...openStackEnvironment() };
  return openCloud({ settings: loadSettings({ ...env, ...environment }), db });
};
