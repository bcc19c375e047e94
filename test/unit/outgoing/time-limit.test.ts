import { withinLimit } from '../../../outgoing/time-limit';

const never = new Promise<never>(() => undefined);

describe('a time limit', () => {
  it('passes on what the work returns', async () => {
    await expect(withinLimit(1_000, 'counting', Promise.resolve(3))).resolves.toBe(3);
  });

  it('passes on what the work throws', async () => {
    await expect(withinLimit(1_000, 'counting', Promise.reject(new Error('no numbers')))).rejects.toThrow('no numbers');
  });

  it('names the work that took too long', async () => {
    await expect(withinLimit(10, 'counting', never)).rejects.toThrow('counting took longer than 10 ms');
  });
});
