/** The access of a process to Temporal: the address, and the TLS and login options that the server demands. */
import { readFile } from 'node:fs/promises';
import type { TLSConfig } from '@temporalio/client';

/** The values of the settings. Files are in PEM format; the API key's file holds only the key. */
export interface TemporalAccess {
  readonly temporalAddress: string;
  readonly temporalTls?: 'off' | 'on';
  readonly temporalCa?: string | undefined;
  readonly temporalCert?: string | undefined;
  readonly temporalKey?: string | undefined;
  readonly temporalServerName?: string | undefined;
  readonly temporalApiKeyFile?: string | undefined;
}

/** The options in the form that both clients of the SDK take. */
export interface TemporalEndpoint {
  readonly address: string;
  readonly tls: TLSConfig | false;
  readonly apiKey?: string;
}

export const accessOf = (settings: TemporalAccess): TemporalAccess => {
  const { temporalAddress, temporalTls = 'off', temporalCa, temporalCert, temporalKey } = settings;
  const { temporalServerName, temporalApiKeyFile } = settings;
  return {
    temporalAddress,
    temporalTls,
    temporalCa,
    temporalCert,
    temporalKey,
    temporalServerName,
    temporalApiKeyFile,
  };
};

const readTls = async (access: TemporalAccess): Promise<TLSConfig> => {
  const { temporalCa, temporalCert, temporalKey, temporalServerName } = access;
  return {
    ...(temporalCa !== undefined && { serverRootCACertificate: await readFile(temporalCa) }),
    ...(temporalServerName !== undefined && { serverNameOverride: temporalServerName }),
    ...(temporalCert !== undefined &&
      temporalKey !== undefined && {
        clientCertPair: { crt: await readFile(temporalCert), key: await readFile(temporalKey) },
      }),
  };
};

/** @throws Error of the file system when a file of the settings cannot be read */
export const readEndpoint = async (access: TemporalAccess): Promise<TemporalEndpoint> => {
  const { temporalAddress: address, temporalTls, temporalApiKeyFile } = access;
  return {
    address,
    tls: temporalTls === 'on' ? await readTls(access) : false,
    ...(temporalApiKeyFile !== undefined && { apiKey: (await readFile(temporalApiKeyFile, 'utf8')).trim() }),
  };
};
