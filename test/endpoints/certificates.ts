/** Certificates of a test's own: an authority, a server on loopback, and a client. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Certificates {
  readonly ca: string;
  readonly server: Pair;
  readonly client: Pair;
}

/** Files in PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
  /** Key and certificates in one file, as Java takes them. */
  readonly both: string;
}

const openssl = (folder: string, ...args: readonly string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
};

const newKey = ['-newkey', 'rsa:2048', '-nodes'] as const;

const makePair = (folder: string, name: string, extensions: string): Pair => {
  const file = (ending: string): string => path.join(folder, `${name}.${ending}`);
  writeFileSync(file('ext'), extensions);
  openssl(folder, 'req', ...newKey, '-keyout', file('key'), '-subj', '/CN=parley', '-out', file('csr'));
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', file('ext')];
  openssl(folder, 'x509', '-req', '-in', file('csr'), ...signing, '-out', file('pem'));
  writeFileSync(file('both'), `${readFileSync(file('key'), 'utf8')}${readFileSync(file('pem'), 'utf8')}`);
  return { cert: file('pem'), key: file('key'), both: file('both') };
};

export const makeCertificates = (folder: string): Certificates => {
  const authority = ['-x509', '-days', '2', '-subj', '/CN=Test authority', '-keyout', 'ca.key', '-out', 'ca.pem'];
  openssl(folder, 'req', ...newKey, ...authority);
  return {
    ca: path.join(folder, 'ca.pem'),
    server: makePair(folder, 'server', 'subjectAltName=DNS:localhost,IP:127.0.0.1\n'),
    client: makePair(folder, 'client', 'extendedKeyUsage=clientAuth\n'),
  };
};
