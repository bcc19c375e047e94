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
  const sometime = { identity: '3@elsewhere', askedAt: new Date('2020-01-01T00:00:00Z') };
  const again = { identity: '3@elsewhere', askedAt: new Date('2020-01-01T00:01:00Z') };
  it.each([
    { situation: 'it shows signs of life', looks: [[one]], signs: [sign('1@here', 30)], is: '1@here' },
    { situation: 'it has ended', looks: [[one]], signs: [sign('1@here', 3_600)], is: undefined },
    { situation: 'it works on another database and has ended', looks: [[sometime], [sometime]], signs: [] },
    {
      situation: 'it works on another database and asks again',
      looks: [[sometime], [again]],
      signs: [],
      is: '3@elsewhere',
    },
    { situation: 'it comes between the looks', looks: [[sometime], [other, sometime]], signs: [], is: '2@there' },
    { situation: 'nobody asks', looks: [[]], signs: [], is: undefined },
  ])('$is, whatever the clocks say, where $situation', async ({ looks, signs, is }) => {
    const left = [...looks];
    const look = () => Promise.resolve(left.shift()!);
    await expect(findWorkerAtWork({ signs, withinSeconds: 75, look, wait: () => Promise.resolve() })).resolves.toBe(is);
  });
});
