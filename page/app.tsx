/** The whole page: who is it for, and which part of it is shown. */
import { useEffect, useMemo } from 'preact/hooks';
import icon from './icon.svg';
import { runClock } from './live/run-clock';
import { Dialog } from './parts/dialog';
import { ProblemNote } from './parts/problem-note';
import { restoreTheme } from './parts/theme-switch';
import { followAddress } from './route';
import { createDoor, type Door } from './sign-in/door';
import { SignIn } from './sign-in/sign-in';
import { SignedInPage } from './signed-in-page';

export const App = () => {
  const door = useMemo(() => createDoor(document.baseURI, sessionStorage), []);
  useEffect(restoreTheme, []);
  useEffect(followAddress, []);
  useEffect(runClock, []);
  useEffect(() => void door.open(), [door]);
  return <Inside door={door} />;
};

const Brand = () => (
  <h1>
    <img src={icon} alt="" width="32" height="32" />
    Parley
  </h1>
);

const Inside = ({ door }: { readonly door: Door }) => {
  const state = door.state.value;
  switch (state.name) {
    case 'opening':
      return (
        <p class="alone" role="status">
          Asking the API how to sign in…
        </p>
      );
    case 'away':
      return (
        <main class="alone door">
          <Brand />
          <ProblemNote error={state.error} />
          <button class="button primary" onClick={() => void door.open()}>
            Try again
          </button>
        </main>
      );
    case 'out':
      return (
        <main class="alone door">
          <Brand />
          <SignIn door={door} ways={state.ways} error={state.error} />
        </main>
      );
    case 'in':
      return (
        <>
          <SignedInPage door={door} ways={state.ways} who={state.who} />
          {state.hasEnded && (
            <Dialog title="Sign in again">
              <p>The API does not know your token any more. What you have typed on this page stays.</p>
              <SignIn door={door} ways={state.ways} />
            </Dialog>
          )}
        </>
      );
  }
};
