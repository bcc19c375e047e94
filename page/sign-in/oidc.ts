/**
 * The code flow of OpenID Connect with PKCE: the page sends people to the issuer, who sends them back with a code, for
 * which the page gets a token.
 */
import { addressOfIssuer, type Departure, type OidcIssuer, type Return, returnIn } from './oidc-addresses';

const storedAs = 'parley-oidc';

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

/** The address of the page itself, without what the issuer has added. */
const ownAddress = (): string => `${location.origin}${location.pathname}`;

/** Leaves the page. @throws Error where the browser has no cryptography for a page without HTTPS */
export const goToIssuer = async (issuer: OidcIssuer): Promise<void> => {
  if (!isSecureContext) throw new Error('signing in at the issuer needs HTTPS: open this page by https://');
  const departure: Departure = { state: random(), verifier: random(), hash: location.hash };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(departure.verifier));
  sessionStorage.setItem(storedAs, JSON.stringify(departure));
  const challenge = base64Url(new Uint8Array(digest));
  location.assign(addressOfIssuer(issuer, { state: departure.state, challenge, redirect: ownAddress() }));
};

/** Read once: the code is of no use a second time, and should not stay in the address. */
export const takeReturn = (): Return => {
  const found = returnIn(location.search, sessionStorage.getItem(storedAs));
  if (found.kind === 'none') return found;
  sessionStorage.removeItem(storedAs);
  history.replaceState(null, '', ownAddress());
  if (found.kind === 'code') location.replace(found.hash === '' ? '#/' : found.hash); // tells those who follow the address
  return found;
};

/** @throws Error where the issuer gives no token */
export const tokenForCode = async (
  { token_endpoint: endpoint, client_id: client }: OidcIssuer,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<string> => {
  const response = await fetch(endpoint, {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: client,
      redirect_uri: ownAddress(),
      code_verifier: verifier,
    }),
  });
  const answer = (await response.json()) as { readonly access_token?: string; readonly error_description?: string };
  if (answer.access_token !== undefined) return answer.access_token;
  throw new Error(`the issuer gave no token: ${answer.error_description ?? String(response.status)}`);
};
