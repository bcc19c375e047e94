import { sharedFor } from '../../../../api/readiness/shared-answer';

describe('an answer that is shared', () => {
  it('is asked for once by those who ask at once, and again when it has become old', async () => {
    let asked = 0;
    const ask = sharedFor(0, () => Promise.resolve((asked += 1)));
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    expect(await ask()).toBe(2);
  });

  it('holds for a time', async () => {
    let asked = 0;
    const ask = sharedFor(60_000, () => Promise.resolve((asked += 1)));
    expect([await ask(), await ask()]).toEqual([1, 1]);
  });
});
