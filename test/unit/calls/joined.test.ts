import { gathered, joined } from '../../../calls/joined';

/** Questions that are answered one by one, by hand. */
const openQuestions = () => {
  const asked: { readonly keys: readonly string[]; answer(): void; fail(): void }[] = [];
  const findAll = (keys: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    new Promise((resolve, reject) =>
      asked.push({
        keys,
        answer: () => resolve(new Map(keys.map((key) => [key, `about ${key}`]))),
        fail: () => reject(new Error('away')),
      }),
    );
  return { asked, findAll };
};

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

it('answers all who ask while an answer is on its way with one further question', async () => {
  const { asked, findAll } = openQuestions();
  const find = gathered(findAll);
  const first = find('a');
  await settled();
  const later = [find('a'), find('b'), find('c')];
  await settled();
  expect(asked.map(({ keys }) => keys)).toEqual([['a']]);
  asked[0]?.answer();
  await expect(first).resolves.toBe('about a');
  await settled();
  expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b', 'c']]);
  asked[1]?.answer();
  await expect(Promise.all(later)).resolves.toEqual(['about a', 'about b', 'about c']);
});

it('tells those who asked of a failure, and answers those who ask afterwards', async () => {
  const { asked, findAll } = openQuestions();
  const find = gathered(findAll);
  const first = find('a');
  await settled();
  const second = find('b');
  asked[0]?.fail();
  await expect(first).rejects.toThrow('away');
  await settled();
  asked[1]?.answer();
  await expect(second).resolves.toBe('about b');
});

it('asks for those who wait behind a question that hangs, after two seconds', async () => {
  jest.useFakeTimers();
  const { asked, findAll } = openQuestions();
  const find = gathered(findAll);
  const hanging = find('a');
  await settled();
  const second = find('b');
  await jest.advanceTimersByTimeAsync(1_999);
  expect(asked).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  asked[1]?.answer();
  await expect(second).resolves.toBe('about b');
  const third = find('c');
  await settled();
  asked[2]?.answer();
  await expect(third).resolves.toBe('about c');
  asked[0]?.answer();
  await expect(hanging).resolves.toBe('about a');
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

it('never serves anybody by a run that began before', async () => {
  const ends: ((run: number) => void)[] = [];
  const ask = joined(() => new Promise<number>((resolve) => ends.push(resolve)));
  const first = ask();
  await settled();
  const waiting = [ask(), ask()];
  ends[0]?.(1);
  await expect(first).resolves.toBe(1);
  await settled();
  const late = ask();
  ends[1]?.(2);
  await expect(Promise.all(waiting)).resolves.toEqual([2, 2]);
  await settled();
  ends[2]?.(3);
  await expect(late).resolves.toBe(3);
});
