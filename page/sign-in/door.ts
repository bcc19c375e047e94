/** The way into the page: who has signed in, and how others can. The token is kept for this tab alone. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createHttp, type Http } from '../client/http';
import { isSignedOut } from '../client/problem';
import { takeReturn, tokenForCode } from './oidc';
import { findWays, findWho, type SignInWays, type Who } from './ways';

export type DoorState =
  | { readonly name: 'opening' }
  | { readonly name: 'away'; readonly error: unknown }
  | { readonly name: 'out'; readonly ways: SignInWays; readonly error?: unknown }
  | { readonly name: 'in'; readonly ways: SignInWays; readonly who: Who; readonly hasEnded: boolean };

export interface Door {
  readonly http: Http;
  readonly state: ReadonlySignal<DoorState>;
  /** How often somebody has signed in: what was refused may be asked again then. */
  readonly signedIn: ReadonlySignal<number>;
  readonly open: () => Promise<void>;
  /** @throws Refusal where the token is not known */
  readonly enter: (token: string) => Promise<void>;
  readonly leave: () => void;
}

/** Nobody came in by the issuer. */
class SignInFailure extends Error {}

const storedAs = 'parley-token';

/** What changes at the door. */
interface Entry {
  readonly http: Http;
  readonly storage: Storage;
  readonly state: Signal<DoorState>;
  readonly signedIn: Signal<number>;
  token: string | undefined;
}

export const createDoor = (base: string, storage: Storage): Door => {
  const state = signal<DoorState>({ name: 'opening' });
  const ended = (): void => {
    const { value } = state;
    if (value.name === 'in' && !value.hasEnded) state.value = { ...value, hasEnded: true };
  };
  const entry: Entry = {
    http: createHttp(base, { token: () => entry.token, onSignedOut: ended }),
    storage,
    state,
    signedIn: signal(0),
    token: storage.getItem(storedAs) ?? undefined,
  };
  return {
    http: entry.http,
    state,
    signedIn: entry.signedIn,
    open: () => open(entry),
    enter: (given) => enter(entry, given),
    leave: () => {
      const { value } = state;
      forget(entry);
      if (value.name === 'in') state.value = { name: 'out', ways: value.ways };
    },
  };
};

const open = async (entry: Entry): Promise<void> => {
  const { http, state } = entry;
  state.value = { name: 'opening' };
  try {
    const ways = await findWays(http);
    await goInOrOut(entry, ways);
  } catch (error) {
    state.value = { name: 'away', error };
  }
};

const goInOrOut = async (entry: Entry, ways: SignInWays): Promise<void> => {
  try {
    await takeToken(entry, ways);
    await goIn(entry, ways);
  } catch (error) {
    if (!isSignedOut(error) && !(error instanceof SignInFailure)) throw error;
    const isTold = entry.token !== undefined || error instanceof SignInFailure;
    entry.state.value = { name: 'out', ways, ...(isTold && { error }) };
    forget(entry);
  }
};

const enter = async (entry: Entry, given: string): Promise<void> => {
  const { token: own } = entry;
  const before = entry.state.value;
  entry.token = given;
  try {
    if (before.name === 'out' || before.name === 'in') await goIn(entry, before.ways);
    entry.storage.setItem(storedAs, given);
  } catch (error) {
    entry.token = own;
    throw error;
  }
};

const goIn = async ({ http, state, signedIn }: Entry, ways: SignInWays): Promise<void> => {
  const who = await findWho(http);
  state.value = { name: 'in', ways, who, hasEnded: false };
  signedIn.value += 1;
};

/** Takes the token of somebody who comes back from the issuer. */
const takeToken = async (entry: Entry, { oidc }: SignInWays): Promise<void> => {
  const found = takeReturn();
  if (found.kind === 'none' || oidc === undefined) return;
  if (found.kind === 'refused') throw new SignInFailure(found.because);
  entry.token = await tokenForCode(oidc, found).catch((error: unknown) => {
    throw new SignInFailure(error instanceof Error ? error.message : String(error));
  });
  entry.storage.setItem(storedAs, entry.token);
};

const forget = (entry: Entry): void => {
  entry.token = undefined;
  entry.storage.removeItem(storedAs);
};
