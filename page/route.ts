/** Which part of the page is shown. */
import { signal } from '@preact/signals';
import { hashOf, parseRoute, type Route } from './address';

export const route = signal<Route>({ name: 'home' });

export const followAddress = (): (() => void) => {
  const read = (): void => {
    route.value = parseRoute(location.hash);
  };
  read();
  addEventListener('hashchange', read);
  return () => removeEventListener('hashchange', read);
};

export const goTo = (to: Route): void => {
  location.hash = hashOf(to);
};
