/**
 * The issuer of tokens: where its keys are and where people sign in, by its discovery document, and the keys
 * themselves. It is asked only when a request needs it, so the service starts even when the issuer is down.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { sharedRun } from '../../calls/joined';
import type { Exchange } from '../../clouds/http/exchange';
import { isLoopback } from '../../config/loopback';

/** The issuer does not answer, or its answer makes no sense. The message holds no token. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway';
}

const MetadataSchema = Type.Object({
  issuer: Type.String(),
  jwks_uri: Type.String(),
  authorization_endpoint: Type.Optional(Type.String()),
  token_endpoint: Type.Optional(Type.String()),
});

export interface Issuer {
  /** Chooses the key of a token. Throws IssuerAway, or an error of jose where the issuer has no such key. */
  readonly keyOf: JWTVerifyGetKey;
  /** The addresses at which people sign in; undefined: the issuer does not publish them. */
  readonly endpoints?: { readonly authorization: string; readonly token: string };
}

export interface IssuerSource {
  /** The issuer as the tokens name it. */
  readonly issuer: string;
  readonly exchange: Exchange;
}

/** The time after which the document is read again. */
const documentMs = 3_600_000;
/** The time for which keys are kept: a key that the issuer has withdrawn is good for as long. */
const keysMs = 600_000;
/** The pause between two looks for a key that is not known, since anybody can make one up. */
const unknownKeyPauseMs = 5_000;

const ask = async (exchange: Exchange, url: string): Promise<unknown> => {
  const answer = await exchange({ method: 'GET', url }).catch((cause: unknown) => {
    throw new IssuerAway(`the issuer does not answer at ${url}: ${String(cause)}`, { cause });
  });
  if (answer.status === 200) return answer.body;
  throw new IssuerAway(`the issuer answers ${answer.status} at ${url}`);
};

/** Whoever can change the keys on their way can sign any token. */
const secureUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw new IssuerAway(`the issuer says that its keys are at ${text}, which is no https address`);
};

type Metadata = Static<typeof MetadataSchema>;

const readMetadata = async ({ issuer, exchange }: IssuerSource): Promise<Metadata> => {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const body = await ask(exchange, url);
  if (!Value.Check(MetadataSchema, body)) throw new IssuerAway(`${url} holds no OpenID Connect configuration`);
  if (body.issuer === issuer) return body;
  throw new IssuerAway(`${url} is of the issuer ${body.issuer}; set PARLEY_OIDC_ISSUER to exactly that if it is yours`);
};

const keysAt = (uri: string, exchange: Exchange): JWTVerifyGetKey =>
  createRemoteJWKSet(secureUrl(uri), {
    cacheMaxAge: keysMs,
    cooldownDuration: unknownKeyPauseMs,
    [customFetch]: async (url) => Response.json(await ask(exchange, url)),
  });

const endpointsIn = ({ authorization_endpoint: authorization, token_endpoint: token }: Metadata) =>
  authorization !== undefined && token !== undefined && { endpoints: { authorization, token } };

interface KeptKeys {
  readonly metadata: Metadata;
  readonly issuer: Issuer;
  readonly untilMs: number;
}

/** @returns a function that throws IssuerAway while nothing is known of the issuer. Concurrent callers share a look */
export const findIssuer = (source: IssuerSource, now: () => number = Date.now): (() => Promise<Issuer>) => {
  let held: KeptKeys | undefined;

  const look = async (): Promise<Issuer> => {
    const metadata = await readMetadata(source);
    const hasMoved = metadata.jwks_uri !== held?.metadata.jwks_uri;
    const keyOf = held === undefined || hasMoved ? keysAt(metadata.jwks_uri, source.exchange) : held.issuer.keyOf;
    held = { metadata, issuer: { keyOf, ...endpointsIn(metadata) }, untilMs: now() + documentMs };
    return held.issuer;
  };

  /** An older document serves while the issuer is down; its keys have an end of their own. */
  const heldWhileAway = (error: unknown): Issuer => {
    if (held !== undefined) return held.issuer;
    throw error;
  };

  const lookOnce = sharedRun(() => look().catch(heldWhileAway));
  return () => (held !== undefined && now() < held.untilMs ? Promise.resolve(held.issuer) : lookOnce());
};
