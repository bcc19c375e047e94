import { isOneAtWork } from '../../../temporal/workers-at-work';

const [one, other] = [{ identity: '1@here' }, { identity: '2@there' }];
const sign = (identity: string, silentSeconds: number) => ({ identity, silentSeconds });

describe('a worker is at work', () => {
  it.each([
    { situation: 'nobody asks for work', asking: [], signs: [sign('1@here', 1)], is: false },
    { situation: 'one asks and shows signs of life', asking: [one], signs: [sign('1@here', 4)], is: true },
    { situation: 'the one that asked was killed or hangs', asking: [one], signs: [sign('1@here', 13)], is: false },
    {
      situation: 'one of two goes on',
      asking: [one, other],
      signs: [sign('1@here', 60), sign('2@there', 1)],
      is: true,
    },
    { situation: 'one asks that has shown no sign yet', asking: [one], signs: [sign('2@there', 900)], is: true },
  ])('$is, when $situation', ({ asking, signs, is }) => {
    expect(isOneAtWork(asking, signs)).toBe(is);
  });
});
