/** Signs in with a token that somebody has. */
import { type Enter, textIn, useSubmit } from './use-submit';

export const TokenForm = ({ enter }: { readonly enter: Enter }) => {
  const { onSubmit, isBusy } = useSubmit((form) => enter(() => Promise.resolve(textIn(form, 'token').trim())));
  return (
    <form class="stack" aria-label="Sign in with a token" onSubmit={onSubmit}>
      <label class="field">
        <span>Token</span>
        <input name="token" type="password" required autocomplete="off" spellcheck={false} />
      </label>
      <p class="hint">It is kept in this tab alone, and is gone when the tab is closed.</p>
      <button class="button primary" disabled={isBusy}>
        Sign in with the token
      </button>
    </form>
  );
};
