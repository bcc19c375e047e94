import { type Measured, whatLimits } from '../../../../dev/bench/what-limits';

const idle = { api: 0, worker: 0, PostgreSQL: 0, Temporal: 0, bench: 0 };

const measured = (given: Partial<Measured> = {}): Measured => ({
  cores: idle,
  machine: { processors: 4, busyShare: 0.4 },
  waits: [],
  ...given,
});

describe('what limits a load', () => {
  it.each([
    {
      situation: 'the API uses up its thread, also where the machine is busy',
      given: { cores: { ...idle, api: 0.97 }, machine: { processors: 2, busyShare: 0.99 } },
      says: /^the api process: 0\.97 of the one core/,
    },
    {
      situation: 'all processors are busy, and who keeps them so',
      given: {
        cores: { ...idle, api: 0.8, PostgreSQL: 0.6, bench: 0.4 },
        machine: { processors: 2, busyShare: 0.95 },
      },
      says: /^the machine: 95 % of 2 cores busy \(api 0\.80, PostgreSQL 0\.60\)$/,
    },
    {
      situation: 'all processors are busy with other things',
      given: { cores: { ...idle, api: 0.8 }, machine: { processors: 2, busyShare: 1 } },
      says: /\(others 1\.20, api 0\.80\)$/,
    },
    {
      situation: 'nothing is used up, and what PostgreSQL does most',
      given: { waits: [{ what: 'IO WalSync', share: 0.75 }] },
      says: /nothing is used up.*IO WalSync in 75 % of the looks$/,
    },
    { situation: 'not even PostgreSQL has anything to do', given: {}, says: /^the callers/ },
  ])('says when $situation', ({ given, says }) => {
    expect(whatLimits(measured(given))).toMatch(says);
  });
});
