/** A sleep of an activity ends with the activity, or with its part of it. */
import { CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sleep, whileNotOver } from '../../../activities/sleep';

const long = 60_000;

it('ends when its part is over, also one that begins afterwards', async () => {
  const over = new AbortController();
  const slept = new MockActivityEnvironment().run(async () => {
    const part = whileNotOver(over.signal, () => sleep(long));
    over.abort();
    await expect(part).rejects.toThrow(CancelledFailure);
    await expect(whileNotOver(over.signal, () => sleep(long))).rejects.toThrow('is over');
    await sleep(1);
  });
  await expect(slept).resolves.toBeUndefined();
});

it('ends when its activity is cancelled, within a part and outside of it', async () => {
  const activity = new MockActivityEnvironment();
  const slept = activity.run(async () => {
    const both = [sleep(long), whileNotOver(new AbortController().signal, () => sleep(long))];
    activity.cancel();
    for (const one of both) await expect(one).rejects.toThrow(CancelledFailure);
  });
  await expect(slept).resolves.toBeUndefined();
});
