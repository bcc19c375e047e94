/** The place of each request among the buttons: none moves while somebody is about to press it. */
import type { NextStep } from '../client/types';

export interface Place {
  readonly request: NextStep['request'];
  /** undefined: the session does not allow the request now; its button stays where it is, and cannot be pressed. */
  readonly step: NextStep | undefined;
}

/** Each place has the first of its requests that the session allows, or else its first request. */
const places: readonly (readonly [NextStep['request'], ...NextStep['request'][]])[] = [
  ['pause', 'resume', 'continue'],
  ['skip'],
  ['retry'],
];
const dangerous: typeof places = [['abort', 'archive'], ['delete']];

const placed = (among: typeof places, next: readonly NextStep[]): Place[] =>
  among.map((requests) => {
    const step = next.find(({ request }) => requests.includes(request));
    return { request: step?.request ?? requests[0], step };
  });

export const placesOf = (
  next: readonly NextStep[],
): { readonly plain: readonly Place[]; readonly apart: readonly Place[] } => ({
  plain: placed(places, next),
  apart: placed(dangerous, next),
});
