import { noticeLoss } from '../../../worker/keep-connected';

const logger = { warn: () => undefined };

it.each([
  { what: 'says nothing', asks: () => new Promise<never>(() => undefined) },
  { what: 'refuses', asks: () => Promise.reject(new Error('certificate expired')) },
])('a worker whose Temporal $what for long ends', async ({ asks }) => {
  const { lost, stop } = noticeLoss(asks, { everyMs: 5, lostMs: 20 }, logger);
  await expect(lost).rejects.toThrow('Temporal has not answered this worker');
  stop();
});

it('a worker goes on whose Temporal answers now and then', async () => {
  let asked = 0;
  const answered = Promise.withResolvers<string>();
  const asks = (): Promise<unknown> => {
    asked += 1;
    if (asked === 12) answered.resolve('goes on');
    return asked % 2 === 0 ? Promise.resolve() : Promise.reject(new Error('away'));
  };
  const { lost, stop } = noticeLoss(asks, { everyMs: 5, lostMs: 60_000 }, logger);
  await expect(Promise.race([lost, answered.promise])).resolves.toBe('goes on');
  stop();
});
