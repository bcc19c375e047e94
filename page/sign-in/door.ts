/** The way into the page: who has signed in, and how others can. The token is kept for this tab alone. */
import { type ReadonlySignal, signal } from '@preact/signals';
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

export const createDoor = (base: string, storage: Storage): Door => {
  let token = storage.getItem(storedAs) ?? undefined;
  const state = signal<DoorState>({ name: 'opening' });
  const signedIn = signal(0);
  const ended = (): void => {
    const { value } = state;
    if (value.name === 'in' && !value.hasEnded) state.value = { ...value, hasEnded: true };
  };
  const http = createHttp(base, { token: () => token, onSignedOut: ended });
  const goIn = async (ways: SignInWays): Promise<void> => {
    const who = await findWho(http);
    state.value = { name: 'in', ways, who, hasEnded: false };
    signedIn.value += 1;
  };
  /** Of somebody who comes back from the issuer. */
  const takeToken = async ({ oidc }: SignInWays): Promise<void> => {
    const found = takeReturn();
    if (found.kind === 'none' || oidc === undefined) return;
    if (found.kind === 'refused') throw new SignInFailure(found.because);
    token = await tokenForCode(oidc, found).catch((error: unknown) => {
      throw new SignInFailure(error instanceof Error ? error.message : String(error));
    });
    storage.setItem(storedAs, token);
  };
  const forget = (): void => {
    token = undefined;
    storage.removeItem(storedAs);
  };
  return {
    http,
    state,
    signedIn,
    open: async () => {
      state.value = { name: 'opening' };
      try {
        const ways = await findWays(http);
        try {
          await takeToken(ways);
          await goIn(ways);
        } catch (error) {
          if (!isSignedOut(error) && !(error instanceof SignInFailure)) throw error;
          state.value = {
            name: 'out',
            ways,
            ...((token !== undefined || error instanceof SignInFailure) && { error }),
          };
          forget();
        }
      } catch (error) {
        state.value = { name: 'away', error };
      }
    },
    enter: async (given) => {
      const before = state.value;
      const own = token;
      token = given;
      try {
        if (before.name === 'out' || before.name === 'in') await goIn(before.ways);
        storage.setItem(storedAs, given);
      } catch (error) {
        token = own;
        throw error;
      }
    },
    leave: () => {
      const { value } = state;
      forget();
      if (value.name === 'in') state.value = { name: 'out', ways: value.ways };
    },
  };
};
