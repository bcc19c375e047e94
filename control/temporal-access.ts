/** How a process gets to Temporal: the address, and what the server asks for of those who connect. */
import { readFile } from 'node:fs/promises';
import type { TLSConfig } from '@temporalio/client';

/** Of the settings; files hold PEM, the API key's file the key alone. */
export interface TemporalAccess {
  readonly temporalAddress: string;
  readonly temporalTls?: 'off' | 'on';
  readonly temporalCa?: string | undefined;
  readonly temporalCert?: string | undefined;
  readonly temporalKey?: string | undefined;
  readonly temporalServerName?: string | undefined;
  readonly temporalApiKeyFile?: string | undefined;
}

/** As both of the SDK's clients take it. */
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

/** @throws Error of the file system where a file of the settings cannot be read */
export const readEndpoint = async (access: TemporalAccess): Promise<TemporalEndpoint> => {
  const { temporalAddress: address, temporalTls, temporalApiKeyFile } = access;
  return {
    address,
    tls: temporalTls === 'on' ? await readTls(access) : false,
    ...(temporalApiKeyFile !== undefined && { apiKey: (await readFile(temporalApiKeyFile, 'utf8')).trim() }),
  };
};
