import type { NextStep } from '../../../page/client/types';
import { placesOf } from '../../../page/session/places';

const aStep = (request: NextStep['request']): NextStep => ({
  request,
  method: 'POST',
  path: '',
  because: '',
  hosts: [],
});

const shownFor = (...requests: NextStep['request'][]) => {
  const { plain, apart } = placesOf(requests.map(aStep));
  return [...plain, ...apart].map(({ request, step }) => (step === undefined ? `(${request})` : request));
};

it.each<{ situation: string; next: NextStep['request'][]; shown: string[] }>([
  { situation: 'runs', next: ['pause', 'abort', 'delete'], shown: ['pause', '(skip)', '(retry)', 'abort', 'delete'] },
  {
    situation: 'has a host that waits',
    next: ['skip', 'pause', 'abort', 'delete'],
    shown: ['pause', 'skip', '(retry)', 'abort', 'delete'],
  },
  {
    situation: 'is paused, without a host',
    next: ['resume', 'retry', 'abort', 'delete'],
    shown: ['resume', '(skip)', 'retry', 'abort', 'delete'],
  },
  {
    situation: 'has failed',
    next: ['continue', 'delete'],
    shown: ['continue', '(skip)', '(retry)', '(abort)', 'delete'],
  },
  { situation: 'is done', next: ['delete'], shown: ['(pause)', '(skip)', '(retry)', '(abort)', 'delete'] },
])('each button keeps its place in a session that $situation', ({ next, shown }) => {
  expect(shownFor(...next)).toEqual(shown);
});
