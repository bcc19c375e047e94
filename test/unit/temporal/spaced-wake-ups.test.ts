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
    return { sent, awake, wake: spaceWakeUps(send, 200, (sessionId) => awake.has(sessionId)) };
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
