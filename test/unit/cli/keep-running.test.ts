import { keepRunning } from '../../../cli/stack/keep-running';
import type { ServiceProcess } from '../../../cli/stack/service-process';

interface FakeProcess extends ServiceProcess {
  readonly die: () => void;
}

const aProcess = (): FakeProcess => {
  let over = false;
  let settle: (end: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => (settle = resolve));
  const die = (): void => {
    over = true;
    settle('worker ended with SIGKILL');
  };
  const stop = async (): Promise<void> => {
    die();
    await ended;
  };
  return { name: 'worker', pid: 1, ended, hasEnded: () => over, stop, die };
};

describe('keepRunning', () => {
  it('starts a process again that died, and says so', async () => {
    const first = aProcess();
    const next = aProcess();
    const lines: string[] = [];
    let kept = { stop: () => Promise.resolve() };
    await new Promise<void>((resolve) => {
      const tell = (line: string): void => {
        if (lines.push(line) === 2) resolve();
      };
      kept = keepRunning({ first, startAgain: () => Promise.resolve(next), tell });
      first.die();
    });
    expect(lines).toEqual(['worker ended with SIGKILL; starting it again', 'worker runs again']);
    await kept.stop();
    expect(next.hasEnded()).toBe(true);
  });

  it('starts nothing again once it was told to stop', async () => {
    const first = aProcess();
    const startAgain = jest.fn(() => Promise.resolve(aProcess()));
    const kept = keepRunning({ first, startAgain, tell: () => undefined });
    await kept.stop();
    expect(first.hasEnded()).toBe(true);
    expect(startAgain).not.toHaveBeenCalled();
  });
});
