/** Access from inside the cluster, by the service account of the pod. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AccessFault, type ClusterAccess } from './cluster-access';
import { tokenFileCredentials } from './token-file';

export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterAddress {
  readonly host: string;
  readonly port: number;
}

/** @throws AccessFault when the pod has no service account */
export const inClusterAccess = ({ host, port }: InClusterAddress, folder = serviceAccountFolder): ClusterAccess => {
  const certificates = path.join(folder, 'ca.crt');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${String(port)}`,
    ca: readCertificates(certificates),
    isVerified: true,
    credentials: tokenFileCredentials(path.join(folder, 'token')),
    files: [certificates],
  };
};

const readCertificates = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AccessFault(
      `KUBERNETES_SERVICE_HOST is set, and ${file} cannot be read: give the pod a service account whose token is ` +
        'mounted (automountServiceAccountToken), or set KUBECONFIG',
      { cause },
    );
  }
};
