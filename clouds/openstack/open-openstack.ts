/** The OpenStack that the settings name. */
import type { Database } from '../../prisma/database';
import type { CloudDriver } from '../cloud-driver';
import { createExchange } from './http/exchange';
import type { Credentials } from './keystone/credentials';
import { createOpenStackCloud } from './openstack-cloud';

/** Part of config/settings.ts; each is a row of the settings table. */
export interface OpenStackSettings {
  readonly osAuthUrl: string | undefined;
  readonly osUsername: string | undefined;
  readonly osUserDomainName: string;
  readonly osUserDomainId: string | undefined;
  readonly osPassword: string | undefined;
  readonly osProjectName: string | undefined;
  readonly osProjectId: string | undefined;
  readonly osProjectDomainName: string;
  readonly osProjectDomainId: string | undefined;
  readonly osApplicationCredentialId: string | undefined;
  readonly osApplicationCredentialSecret: string | undefined;
  readonly osRegionName: string | undefined;
  readonly osInterface: string;
  readonly osCacert: string | undefined;
  readonly osComputeEndpoint: string | undefined;
  readonly osPlacementEndpoint: string | undefined;
  readonly osTimeoutSeconds: number;
  readonly osNoHostSeconds: number;
}

/** An application credential goes before a user, as it does for OpenStack's own clients. */
export const credentialsIn = (settings: OpenStackSettings): Credentials => {
  const { osApplicationCredentialId: id, osApplicationCredentialSecret: secret } = settings;
  if (id !== undefined && secret !== undefined) return { kind: 'applicationCredential', id, secret };
  return {
    kind: 'password',
    username: settings.osUsername ?? '',
    password: settings.osPassword ?? '',
    userDomain: { id: settings.osUserDomainId, name: settings.osUserDomainName },
    project: { id: settings.osProjectId, name: settings.osProjectName },
    projectDomain: { id: settings.osProjectDomainId, name: settings.osProjectDomainName },
  };
};

/** @throws Error where OS_CACERT cannot be read */
export const openOpenStack = ({
  settings,
  db,
}: {
  readonly settings: OpenStackSettings;
  readonly db: Database;
}): CloudDriver =>
  createOpenStackCloud({
    db,
    exchange: createExchange({ timeoutSeconds: settings.osTimeoutSeconds, caFile: settings.osCacert }),
    authUrl: settings.osAuthUrl ?? '',
    credentials: credentialsIn(settings),
    places: {
      interface: settings.osInterface,
      region: settings.osRegionName,
      computeEndpoint: settings.osComputeEndpoint,
      placementEndpoint: settings.osPlacementEndpoint,
    },
    noHostSeconds: settings.osNoHostSeconds,
  });
