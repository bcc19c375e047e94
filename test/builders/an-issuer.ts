/** An OpenID Connect issuer on loopback, with keys made here. It signs what a test wants, also what no issuer would. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { createCodeFlow } from './code-flow';

interface KeyPair {
  readonly kid: string;
  readonly alg: string;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

export interface IssuedToken {
  /** The claims that replace the usual ones; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The header, where it is not that of the newest key. */
  readonly header?: { readonly alg: string; readonly kid?: string };
  /** The key that replaces the newest one. */
  readonly key?: CryptoKey | Uint8Array;
}

export interface TestIssuer {
  readonly url: string;
  /** The number of times that somebody asked for the keys. */
  keysAsked(): number;
  sign(token?: IssuedToken): Promise<string>;
  /** A new key signs from now on; the older ones are no longer listed. */
  rotate(alg?: string): Promise<void>;
  /** The newest public key as the text by which it is passed around. */
  publicPem(): Promise<string>;
  /** Answers everything so from now on; undefined: as usual. */
  answerWith(answer: { readonly status: number; readonly body: unknown } | undefined): void;
  /** Claims of the people who sign in from now on. */
  signsIn(claims: Readonly<Record<string, unknown>>): void;
  stop(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
}

export const audience = 'parley';
/** A token is for that audience where this scope was asked for, else for the issuer's own account page. */
export const audienceScope = 'parley-api';

let numberOfKeys = 0;

const aKeyPair = async (alg: string): Promise<KeyPair> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  numberOfKeys += 1;
  return { kid: `key-${numberOfKeys}`, alg, publicKey, privateKey };
};

const asJwk = async ({ publicKey, kid, alg }: KeyPair): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  ...{ kid, alg, use: 'sig' },
});

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const withoutUndefined = (claims: Readonly<Record<string, unknown>>): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));

export const startIssuer = async (alg = 'RS256'): Promise<TestIssuer> => {
  let newest = await aKeyPair(alg);
  let keysAsked = 0;
  let instead: { readonly status: number; readonly body: unknown } | undefined;
  let url = '';
  let person: Readonly<Record<string, unknown>> = {};

  const answerTo = async (path: string | undefined): Promise<unknown> => {
    if (path === '/.well-known/openid-configuration') {
      return {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
      };
    }
    keysAsked += 1;
    return { keys: [await asJwk(newest)] };
  };

  const flow = createCodeFlow((scopes) =>
    sign({ claims: { ...person, aud: scopes.includes(audienceScope) ? audience : 'account' } }),
  );
  /** @returns whether it was for somebody who signs in */
  const answerPerson = async (req: IncomingMessage, res: ServerResponse): Promise<boolean> => {
    const { pathname, searchParams } = new URL(req.url ?? '', url);
    if (pathname === '/authorize') res.writeHead(302, { location: flow.authorize(searchParams) }).end();
    if (pathname === '/token') {
      const { status, body } = await flow.redeem(new URLSearchParams(await text(req)));
      const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
      res.writeHead(status, headers).end(JSON.stringify(body));
    }
    return res.writableEnded;
  };

  const create = (): Server =>
    createServer((req, res) => {
      void answerPerson(req, res).then(async (isAnswered) => {
        if (isAnswered) return;
        const usual = await answerTo(req.url);
        const { status, body } = instead ?? { status: 200, body: usual };
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });

  const sign: TestIssuer['sign'] = (token = {}) => {
    const { claims = {}, header = { alg: newest.alg, kid: newest.kid }, key = newest.privateKey } = token;
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: url, aud: audience, sub: 'somebody', iat: now, exp: now + 600 };
    return new SignJWT(withoutUndefined({ ...usual, ...claims })).setProtectedHeader(header).sign(key);
  };

  let server = create();
  const port = await listen(server, 0);
  url = `http://127.0.0.1:${port}`;

  return {
    url,
    keysAsked: () => keysAsked,
    sign,
    async rotate(next = alg) {
      newest = await aKeyPair(next);
    },
    publicPem: () => exportSPKI(newest.publicKey),
    answerWith(answer) {
      instead = answer;
    },
    signsIn(claims) {
      person = claims;
    },
    stop: () => closed(server),
    async start() {
      server = create();
      await listen(server, port);
    },
  };
};
