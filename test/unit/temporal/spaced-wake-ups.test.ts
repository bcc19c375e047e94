import { spaceWakeUps } from '../../../temporal/spaced-wake-ups';

describe('wake-ups of a session', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const recorded = () => {
    const sent: string[] = [];
    const send = (sessionId: string): Promise<void> => {
      sent.push(sessionId);
      return Promise.resolve();
    };
    const awake = new Set<string>();
    const spacing = { leastMs: 200, mostMs: 1_000, eachMs: 20, isAwake: (sessionId: string) => awake.has(sessionId) };
    return { sent, awake, wake: spaceWakeUps(send, spacing) };
  };

  /** The times, in milliseconds, at which they are sent while one is wanted every so many. */
  const sentAtMs = async (everyMs: number, untilMs: number): Promise<readonly number[]> => {
    const { sent, wake } = recorded();
    const times: number[] = [];
    for (let atMs = 0; atMs <= untilMs; atMs += everyMs) {
      await wake('one');
      if (sent.length > times.length) times.push(atMs);
      await jest.advanceTimersByTimeAsync(everyMs);
    }
    return times;
  };

  it('are sent at once, and those that come soon after it together', async () => {
    const { sent, wake } = recorded();
    await Promise.all([wake('one'), wake('one'), wake('one'), wake('other')]);
    expect(sent).toEqual(['one', 'other']);
    await jest.advanceTimersByTimeAsync(200);
    expect(sent).toEqual(['one', 'other', 'one']);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(3);
  });

  it.each([
    { what: 'of 100 a second', everyMs: 10, sent: [0, 200, 580, 1_340, 2_340, 3_340] },
    { what: 'of 500 a second', everyMs: 2, sent: [0, 200, 1_200, 2_200, 3_200] },
  ])('are further apart, up to a limit, the larger a burst is: $what', async ({ everyMs, sent }) => {
    expect(await sentAtMs(everyMs, 3_500)).toEqual(sent);
  });

  it('stay close where few come', async () => {
    expect(await sentAtMs(50, 1_100)).toEqual([0, 200, 400, 600, 800, 1_000]);
  });

  it('are sent at once again after a while', async () => {
    const { sent, wake } = recorded();
    await wake('one');
    await jest.advanceTimersByTimeAsync(200);
    await wake('one');
    expect(sent).toEqual(['one', 'one']);
  });

  it('are not sent while the session is about to look anyway', async () => {
    const { sent, awake, wake } = recorded();
    awake.add('one');
    await wake('one');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([]);
    awake.delete('one');
    await wake('one');
    expect(sent).toEqual(['one']);
  });
});
