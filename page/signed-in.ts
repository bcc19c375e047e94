/** Every part of the page needs these: the API with the token of the signed-in person, and the events. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from './client/api';
import type { EventFeed } from './live/event-feed';
import type { SignInWays, Who } from './sign-in/ways';

export interface SignedIn {
  readonly api: Api;
  readonly feed: EventFeed;
  readonly who: Who;
  readonly ways: SignInWays;
  /** How often somebody has signed in. */
  readonly signedIn: number;
}

export const SignedInContext = createContext<SignedIn | undefined>(undefined);

export const useSignedIn = (): SignedIn => {
  const shared = useContext(SignedInContext);
  if (shared === undefined) throw new Error('nobody has signed in yet');
  return shared;
};
