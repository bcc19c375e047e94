/** Opens the OpenStack cloud that the settings name. */
import type { ProxySettings } from '../../outgoing/proxies';
import type { Database } from '../../prisma/database';
import type { CloudDriver } from '../cloud-driver';
import { createExchange } from '../http/exchange';
import { heedPauses } from '../http/heed-pauses';
import { connectKeystone } from '../keystone/keystone';
import type { KeystoneSettings } from '../keystone/keystone-settings';
import { createOpenStackCloud } from './openstack-cloud';

/** Part of config/settings.ts; each field is a row of the settings table. */
export interface OpenStackSettings extends ProxySettings {
  /** Always set when the cloud is OpenStack. */
  readonly keystone?: KeystoneSettings;
  readonly osRegionName: string | undefined;
  readonly osInterface: string;
  readonly osCacert: string | undefined;
  readonly osComputeEndpoint: string | undefined;
  readonly osPlacementEndpoint: string | undefined;
  readonly osTimeoutSeconds: number;
  readonly osNoHostSeconds: number;
  readonly osMovesPerHost: number;
  /** keep or any. */
  readonly osZones: string;
}

/** @throws Error when the settings have no login for Keystone, or OS_CACERT cannot be read */
export const openOpenStack = ({
  settings,
  db,
}: {
  readonly settings: OpenStackSettings;
  readonly db: Database;
}): CloudDriver => {
  if (!settings.keystone) throw new Error('PARLEY_CLOUD=openstack needs the OS_* settings of a login');
  const { osTimeoutSeconds: timeoutSeconds, osCacert: caFile } = settings;
  const exchange = heedPauses(createExchange({ timeoutSeconds, caFile, proxies: settings }));
  const { authUrl, tokens } = connectKeystone(settings.keystone, exchange);
  return createOpenStackCloud({
    db,
    exchange,
    authUrl,
    tokens,
    places: {
      interface: settings.osInterface,
      region: settings.osRegionName,
      computeEndpoint: settings.osComputeEndpoint,
      placementEndpoint: settings.osPlacementEndpoint,
    },
    noHostSeconds: settings.osNoHostSeconds,
    movesPerHost: settings.osMovesPerHost,
    keepsZones: settings.osZones === 'keep',
  });
};
