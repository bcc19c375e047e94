/** The access of a process to Temporal: the address, and the TLS and login options that the server demands. */
import { readFile } from 'node:fs/promises';
import type { TLSConfig } from '@temporalio/client';
import { StartFault } from '../startup/start-fault';

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

const read = (file: string, setting: string): Promise<Buffer> =>
  readFile(file).catch((cause: unknown) => {
    const told = cause instanceof Error ? cause.message : String(cause);
    throw new StartFault(`the file of ${setting} cannot be read: ${told}`, { cause });
  });

const readTls = async (access: TemporalAccess): Promise<TLSConfig> => {
  const { temporalCa, temporalCert, temporalKey, temporalServerName } = access;
  return {
    ...(temporalCa !== undefined && { serverRootCACertificate: await read(temporalCa, 'PARLEY_TEMPORAL_CA') }),
    ...(temporalServerName !== undefined && { serverNameOverride: temporalServerName }),
    ...(temporalCert !== undefined &&
      temporalKey !== undefined && {
        clientCertPair: {
          crt: await read(temporalCert, 'PARLEY_TEMPORAL_CERT'),
          key: await read(temporalKey, 'PARLEY_TEMPORAL_KEY'),
        },
      }),
  };
};

/** @throws StartFault when a file of the settings cannot be read */
export const readEndpoint = async (access: TemporalAccess): Promise<TemporalEndpoint> => {
  const { temporalAddress: address, temporalTls, temporalApiKeyFile } = access;
  return {
    address,
    tls: temporalTls === 'on' ? await readTls(access) : false,
    ...(temporalApiKeyFile !== undefined && {
      apiKey: (await read(temporalApiKeyFile, 'PARLEY_TEMPORAL_API_KEY_FILE')).toString('utf8').trim(),
    }),
  };
};
