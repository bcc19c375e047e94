/**
 * The real Temporal server on PostgreSQL: its frontend asks for a certificate of the authority and for an API key, a
 * token that it verifies with a public key.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTemporalOnPostgres } from '../../dev/temporal-server/server';
import type { Certificates } from './certificates';

const keyId = 'test-key';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An API key that allows everything; signed by somebody else, the server must refuse it. */
export const apiKey = ({ isForged = false } = {}): string => {
  const claims = { sub: 'parley', permissions: ['temporal-system:admin'], exp: Math.floor(Date.now() / 1000) + 86_400 };
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encoded(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(signed), isForged ? otherKey : privateKey);
  return `${signed}.${signature.toString('base64url')}`;
};

const serveKeys = async (): Promise<Server> => {
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }];
  const server = createServer((_, response) => response.end(JSON.stringify({ keys }))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

export interface SecuredTemporal {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

interface ServerOptions {
  readonly folder: string;
  readonly postgresPort: number;
  readonly certificates: Certificates;
}

/** The frontend asks for TLS, a certificate and a token that the key at `keysPort` has signed. */
const guard = ({ server, ca }: Certificates, keysPort: number) => {
  const asked = { certFile: server.cert, keyFile: server.key, requireClientAuth: true, clientCaFiles: [ca] };
  return {
    tls: { frontend: { server: asked, client: { serverName: 'localhost', rootCaFiles: [ca] } } },
    authorization: {
      jwtKeyProvider: { keySourceURIs: [`http://127.0.0.1:${keysPort}/`], refreshInterval: '1m' },
      permissionsClaimName: 'permissions',
      authorizer: 'default',
      claimMapper: 'default',
    },
  };
};

export const startSecuredTemporal = async (options: ServerOptions): Promise<SecuredTemporal> => {
  const { folder, postgresPort, certificates } = options;
  const keys = await serveKeys();
  const { port: keysPort } = keys.address() as AddressInfo;
  const global = guard(certificates, keysPort);
  const temporal = await startTemporalOnPostgres({ folder, postgresPort, historyShards: 4, connections: 10, global });
  return {
    address: temporal.address,
    stop: async () => {
      await temporal.process.stop();
      keys.close();
    },
  };
};
