/** The head of the page: which cloud it is for, whether what is shown is fresh, where one can go, who one is. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hashOf, type Route } from './address';
import icon from './icon.svg';
import type { StreamState } from './live/event-feed';
import { NoticeSwitch } from './notices/notice-switch';
import { ThemeSwitch } from './parts/theme-switch';
import { route } from './route';
import { useSignedIn } from './signed-in';

const streamWords: Readonly<Record<StreamState, string>> = {
  connecting: 'Connecting…',
  open: 'Live',
  cut: 'The API does not answer; trying again',
  refused: 'Not live: the API refuses the events',
  resting: 'Resting while nobody looks',
};

interface HeadProps {
  readonly onLeave: () => void;
  readonly onKeys: () => void;
}

export const Head = ({ onLeave, onKeys }: HeadProps) => {
  const { who } = useSignedIn();
  const head = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = route.value;
  useEffect(() => setOpen(false), [place]);
  useLeaving(isOpen, head, () => setOpen(false));
  return (
    <header class="top" ref={head}>
      <a class="brand" href="#/">
        <img src={icon} alt="" width="26" height="26" />
        <span>Parley</span>
      </a>
      <span class="cloud-name" title={who.cloud_name}>
        {who.cloud_name}
      </span>
      <StreamNote />
      <button
        type="button"
        class="button quiet menu-button"
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </button>
      <nav id="menu" class={isOpen ? 'menu open' : 'menu'} aria-label="Page">
        {who.role === 'admin' && <Places at={place.name} />}
        <a href="./docs/">API</a>
        <span class="apart" />
        {who.role === 'admin' && <NoticeSwitch />}
        <button type="button" class="button quiet small" onClick={onKeys}>
          Keys
        </button>
        <ThemeSwitch />
        <Me onLeave={onLeave} />
      </nav>
    </header>
  );
};

/** Escape, or a click elsewhere, closes what is open. */
const useLeaving = (isOpen: boolean, room: RefObject<HTMLElement | null>, onLeave: () => void): void => {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = ({ target }: PointerEvent): void => {
      if (target instanceof Node && room.current?.contains(target) === false) onLeave();
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') onLeave();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, [isOpen]);
};

const StreamNote = () => {
  const { api, feed } = useSignedIn();
  const isAway = api.http.reach.isAway.value;
  const state = isAway && feed.state.value !== 'resting' ? 'cut' : feed.state.value;
  return (
    <span class={`stream ${state}`} role="status">
      <span class="stream-words">{streamWords[state]}</span>
    </span>
  );
};

const Places = ({ at }: { readonly at: Route['name'] }) => (
  <>
    <a href={hashOf({ name: 'home' })} {...(at === 'home' && { 'aria-current': 'page' })}>
      Sessions
    </a>
    <a href={hashOf({ name: 'new' })} {...(at === 'new' && { 'aria-current': 'page' })}>
      New session
    </a>
  </>
);

const Me = ({ onLeave }: Pick<HeadProps, 'onLeave'>) => {
  const { who, ways } = useSignedIn();
  const role = who.role === 'admin' ? 'admin' : `project ${who.project_name ?? who.project_id ?? ''}`;
  return (
    <>
      <span class="me" title={who.name === undefined ? role : `${who.name}, ${role}`}>
        <strong>{who.name ?? role}</strong>
        {who.name !== undefined && <span class="hint"> {role}</span>}
      </span>
      {ways.identity !== 'none' && (
        <button type="button" class="button quiet small" onClick={onLeave}>
          Sign out
        </button>
      )}
    </>
  );
};
