/** A token in a file, as the kubelet keeps it up to date in a pod: the file is read again every minute. */
import { readFile } from 'node:fs/promises';
import { AccessFault, type ClientCertificate, type ClusterCredentials } from './cluster-access';
import { renewedCredentials } from './credentials';

const readAgainMs = 90_000;

/** @param certificate of the client, which goes beside the token */
export const tokenFileCredentials = (file: string, certificate?: ClientCertificate): ClusterCredentials =>
  renewedCredentials(async () => ({
    credential: { token: await readToken(file), ...(certificate !== undefined && { certificate }) },
    endsAtMs: Date.now() + readAgainMs,
  }));

const readToken = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AccessFault(`the token of the Kubernetes API cannot be read from ${file}`, { cause });
  });
  const token = text.trim();
  if (token === '') throw new AccessFault(`the file ${file} holds no token for the Kubernetes API; it is empty`);
  return token;
};
