/** Signs in with a user name and password of Keystone, which the service takes to Keystone. */
import type { Http } from '../client/http';
import { type Enter, textIn, useSubmit } from './use-submit';
import { type Credentials, signInWith } from './ways';

const credentialsIn = (form: FormData): Credentials => {
  const text = (name: string): string => textIn(form, name);
  const optional = ['user_domain', 'project', 'project_domain'].filter((name) => text(name) !== '');
  return {
    user: text('user'),
    password: text('password'),
    ...Object.fromEntries(optional.map((name) => [name, text(name)])),
  };
};

export const PasswordForm = ({ http, enter }: { readonly http: Http; readonly enter: Enter }) => {
  const { onSubmit, isBusy } = useSubmit((form) =>
    enter(async () => (await signInWith(http, credentialsIn(form))).token),
  );
  return (
    <form class="stack" aria-label="Sign in with Keystone" onSubmit={onSubmit}>
      <label class="field">
        <span>User</span>
        <input name="user" required autocomplete="username" />
      </label>
      <label class="field">
        <span>Password</span>
        <input name="password" type="password" required autocomplete="current-password" />
      </label>
      <label class="field">
        <span>Project</span>
        <input name="project" autocomplete="organization" />
      </label>
      <details>
        <summary>Domains</summary>
        <div class="stack">
          <label class="field">
            <span>Domain of the user</span>
            <input name="user_domain" placeholder="Default" />
          </label>
          <label class="field">
            <span>Domain of the project</span>
            <input name="project_domain" placeholder="Default" />
          </label>
        </div>
      </details>
      <button class="button primary" disabled={isBusy}>
        Sign in
      </button>
    </form>
  );
};
