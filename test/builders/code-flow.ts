/** The code flow with PKCE, as an issuer answers it: a code for a browser that comes, and a token for the code. */
import { createHash, randomUUID } from 'node:crypto';

export interface CodeFlow {
  /** Somebody has come to sign in, and does. @returns the address to which the browser is sent back */
  authorize(query: URLSearchParams): string;
  /** @returns the answer to whoever brings a code */
  redeem(form: URLSearchParams): Promise<{ readonly status: number; readonly body: unknown }>;
}

interface Asked {
  readonly challenge: string | null;
  readonly redirect: string | null;
  readonly scopes: readonly string[];
}

const refused = (description: string) => ({
  status: 400,
  body: { error: 'invalid_grant', error_description: description },
});

/** @param tokenFor scopes that were asked for */
export const createCodeFlow = (tokenFor: (scopes: readonly string[]) => Promise<string>): CodeFlow => {
  const asked = new Map<string, Asked>();
  return {
    authorize(query) {
      const code = randomUUID();
      const redirect = query.get('redirect_uri');
      asked.set(code, {
        challenge: query.get('code_challenge'),
        redirect,
        scopes: (query.get('scope') ?? '').split(' '),
      });
      const back = new URL(redirect ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      return back.href;
    },
    async redeem(form) {
      const code = form.get('code') ?? '';
      const known = asked.get(code);
      asked.delete(code); // good once
      if (known === undefined) return refused('the code is not known');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (challenge !== known.challenge) return refused('the verifier does not fit the challenge');
      if (form.get('redirect_uri') !== known.redirect) return refused('the redirect address is another one');
      return { status: 200, body: { access_token: await tokenFor(known.scopes), token_type: 'Bearer' } };
    },
  };
};
