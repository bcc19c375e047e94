/** The head of the page: where one is, whether what is shown is fresh, who one is. */
import type { StreamState } from './live/event-feed';
import { ThemeSwitch } from './parts/theme-switch';
import { useSignedIn } from './signed-in';

const streamWords: Readonly<Record<StreamState, string>> = {
  connecting: 'Connecting…',
  open: 'Live',
  cut: 'The API does not answer; trying again',
  refused: 'Not live: the API refuses the events',
  resting: 'Resting while nobody looks',
};

export const Head = ({ onLeave }: { readonly onLeave: () => void }) => {
  const { api, feed, who, ways } = useSignedIn();
  const isAway = api.http.reach.isAway.value;
  const state = isAway && feed.state.value !== 'resting' ? 'cut' : feed.state.value;
  return (
    <header class="head">
      <a class="home" href="#/">
        Parley
      </a>
      <span class={`stream ${state}`} role="status">
        {streamWords[state]}
      </span>
      <nav class="head-links" aria-label="Page">
        {who.role === 'admin' && <a href="#/new">New session</a>}
        <a href="./docs/">API</a>
        <ThemeSwitch />
        <span class="who">
          {[who.name, who.role === 'admin' ? 'admin' : `project ${who.project_name ?? who.project_id ?? ''}`]
            .filter((word) => word !== undefined)
            .join(', ')}
        </span>
        {ways.identity !== 'none' && (
          <button class="button quiet" onClick={onLeave}>
            Sign out
          </button>
        )}
      </nav>
    </header>
  );
};
