import { findWorkerAtWork, workersAtWork } from '../../../temporal/workers-at-work';

/** By the clock of Temporal, which is five minutes behind that of this process. */
const asking = (identity: string) => ({ identity, askedAt: new Date(Date.now() - 300_000) });
const [one, other] = [asking('1@here'), asking('2@there')];
const sign = (identity: string, silentSeconds: number) => ({ identity, silentSeconds });

describe('a worker is at work', () => {
  it.each([
    { situation: 'nobody asks for work', asking: [], signs: [sign('1@here', 1)], atWork: [] },
    { situation: 'one asks and shows signs of life', asking: [one], signs: [sign('1@here', 4)], atWork: [one] },
    { situation: 'the one that asked was killed or hangs', asking: [one], signs: [sign('1@here', 13)], atWork: [] },
    {
      situation: 'one of two goes on',
      asking: [one, other],
      signs: [sign('1@here', 60), sign('2@there', 1)],
      atWork: [other],
    },
    { situation: 'one asks that shows no sign', asking: [one], signs: [sign('2@there', 900)], atWork: [] },
    { situation: 'the signs cannot be read', asking: [one], signs: undefined, atWork: [one] },
  ])('whatever the clocks say, when $situation', ({ asking, signs, atWork }) => {
    expect(workersAtWork(asking, signs)).toEqual(atWork);
  });
});

describe('a worker still works on records that are restored', () => {
  const justNow = { identity: '3@elsewhere', askedAt: new Date() };
  it.each([
    { situation: 'it shows signs of life', asking: [one], signs: [sign('1@here', 30)], is: '1@here' },
    { situation: 'it has ended', asking: [one], signs: [sign('1@here', 3_600)], is: undefined },
    { situation: 'it has ended, and Temporal has a fast clock', asking: [justNow], signs: [sign('3@elsewhere', 90)] },
    { situation: 'it asks, and works on another database', asking: [justNow], signs: [], is: '3@elsewhere' },
  ])('$is, where $situation', ({ asking, signs, is }) => {
    expect(findWorkerAtWork(asking, signs, 75)).toBe(is);
  });
});
