/** The addresses of the code flow: one to which the page sends people, and one with which they come back. */

/** The issuer, as the service tells it. */
export interface OidcIssuer {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly client_id: string;
  readonly scope: string;
}

/** The notes that the page keeps until somebody comes back. */
export interface Departure {
  readonly state: string;
  readonly verifier: string;
  /** Where they were on the page. */
  readonly hash: string;
}

/** The issuer's page for signing in, with what it is asked for. */
export const addressOfIssuer = (
  { authorization_endpoint: endpoint, client_id: client, scope }: OidcIssuer,
  { state, challenge, redirect }: { readonly state: string; readonly challenge: string; readonly redirect: string },
): string => {
  const url = new URL(endpoint);
  const query = {
    response_type: 'code',
    client_id: client,
    scope,
    redirect_uri: redirect,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

/** The issuer's answer in the address. */
export type Return =
  | { readonly kind: 'none' }
  | { readonly kind: 'code'; readonly code: string; readonly verifier: string; readonly hash: string }
  | { readonly kind: 'refused'; readonly because: string };

/** Judges the query of the address by the notes that were kept. */
export const returnIn = (search: string, stored: string | null): Return => {
  const query = new URLSearchParams(search);
  const [code, state, error] = [query.get('code'), query.get('state'), query.get('error')];
  if (state === null || (code === null && error === null)) return { kind: 'none' };
  const departure = stored === null ? undefined : (JSON.parse(stored) as Departure);
  if (departure?.state !== state) {
    return { kind: 'refused', because: 'this sign-in was not begun in this tab: begin it again' };
  }
  if (code === null) {
    return { kind: 'refused', because: `the issuer refused: ${query.get('error_description') ?? error ?? ''}` };
  }
  return { kind: 'code', code, verifier: departure.verifier, hash: departure.hash };
};
