/** Signs in by whichever way the service is set to. */
import { useState } from 'preact/hooks';
import { ProblemNote } from '../parts/problem-note';
import type { Door } from './door';
import { goToIssuer } from './oidc';
import { PasswordForm } from './password-form';
import { TokenForm } from './token-form';
import type { SignInWays } from './ways';

export interface SignInProps {
  readonly door: Door;
  readonly ways: SignInWays;
  readonly error?: unknown;
}

export const SignIn = ({ door, ways: { ways, oidc }, error }: SignInProps) => {
  const [problem, setProblem] = useState<unknown>(error);
  const enter = (token: () => Promise<string>): Promise<void> =>
    token()
      .then(door.enter)
      .catch((refused: unknown) => setProblem(refused));
  return (
    <div class="sign-in" onInput={() => setProblem(undefined)}>
      <ProblemNote error={problem} />
      {oidc !== undefined && (
        <button class="button primary" onClick={() => void goToIssuer(oidc).catch(setProblem)}>
          Sign in at {new URL(oidc.issuer).host}
        </button>
      )}
      {ways.includes('password') && <PasswordForm http={door.http} enter={enter} />}
      {ways.includes('token') && <TokenForm enter={enter} />}
    </div>
  );
};
