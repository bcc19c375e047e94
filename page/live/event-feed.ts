/** The events as they come: one stream for the whole page, closed while nobody looks, unless somebody wants notices. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { followEvents, type StreamedEvent } from '../client/event-stream';
import type { Http } from '../client/http';

/** connecting: for the first time; cut: it is opened again; refused: it is not, as with a token that has ended. */
export type StreamState = 'connecting' | 'open' | 'cut' | 'refused' | 'resting';

export interface EventFeed {
  /** The last one that came; undefined: none yet. */
  readonly newest: ReadonlySignal<StreamedEvent | undefined>;
  readonly state: ReadonlySignal<StreamState>;
  /** Goes on, after somebody has signed in again, from the last event that came. */
  readonly restart: () => void;
  readonly stop: () => void;
}

/** @param staysOpen true while somebody wants to be told also when nobody looks */
export const startEventFeed = (http: Http, staysOpen: ReadonlySignal<boolean>): EventFeed => {
  const newest = signal<StreamedEvent | undefined>(undefined);
  const state = signal<StreamState>('connecting');
  let open: AbortController | undefined;

  const follow = (): void => {
    open?.abort();
    open = new AbortController();
    const { signal: ended } = open;
    followEvents(http, {
      after: () => newest.peek()?.id,
      onEvent: (event) => (newest.value = event),
      onOpen: () => (state.value = 'open'),
      onCut: () => (state.value = 'cut'),
      signal: ended,
    }).catch(() => {
      if (!ended.aborted) state.value = 'refused';
    });
  };
  const rest = (): void => {
    open?.abort();
    state.value = 'resting';
  };
  const onVisibility = (): void => (document.visibilityState === 'visible' || staysOpen.peek() ? follow() : rest());
  document.addEventListener('visibilitychange', onVisibility);
  return {
    newest,
    state,
    restart: onVisibility,
    stop: () => {
      document.removeEventListener('visibilitychange', onVisibility);
      open?.abort();
    },
  };
};
