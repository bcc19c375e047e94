/** Looks for as long as a component is shown. */
import { effect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useSignedIn } from '../signed-in';
import { type Look, type Looking, startLook } from './look';

/** @param key of what is looked at: another one is another look */
export const useLook = <T>(key: string, looking: Looking<T>): Look<T> => {
  const { api, signedIn } = useSignedIn();
  const isAway = api.http.reach.isAway.value;
  const look = useMemo(() => startLook(looking), [key]);
  useEffect(() => look.stop, [look]);
  useEffect(() => {
    if (look.problem.peek() !== undefined) look.again();
    // When the API is back, all parts of the page look again at once, so that they agree.
  }, [look, signedIn, isAway]);
  return look;
};

/** Looks again whenever an event comes that matters. */
export const useEventsFor = (look: Look<unknown>, isAbout: (payload: Readonly<Record<string, unknown>>) => boolean) => {
  const { feed } = useSignedIn();
  useEffect(
    () =>
      // Told of each event, also of those that come together.
      effect(() => {
        const { value } = feed.newest;
        if (value !== undefined && isAbout(value.payload)) look.again();
      }),
    [feed, look],
  );
};
