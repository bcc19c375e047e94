/** A process that can be killed, and is started again by the supervisor of the local stack whenever it ends. */
import { keepRunning } from '../../../cli/stack/keep-running';
import type { ServiceProcess } from '../../../cli/stack/service-process';

export interface Killed {
  readonly at: Date;
  /** Resolves when it has been started again, and works as far as its start waits for that. */
  readonly upAgain: Promise<Date>;
}

export interface Supervised {
  /** kill -9; returns when it is dead. It is started again by itself. */
  readonly kill: () => Promise<Killed>;
  /** Says in words how it ended without being killed by the test. */
  readonly ownEnds: readonly string[];
  readonly stop: () => Promise<void>;
}

export const supervise = async (start: () => Promise<ServiceProcess>): Promise<Supervised> => {
  let current = await start();
  let onceUp: (at: Date) => void = () => undefined;
  const killedPids = new Set<number>();
  const ownEnds: string[] = [];
  const watch = ({ pid, ended }: ServiceProcess): void =>
    void ended.then((end) => {
      if (!killedPids.has(pid) && !isStopping) ownEnds.push(end);
    });
  let isStopping = false;
  watch(current);
  const startAgain = async (): Promise<ServiceProcess> => {
    current = await start();
    watch(current);
    onceUp(new Date());
    return current;
  };
  const kept = keepRunning({ first: current, startAgain, tell: () => undefined });
  return {
    ownEnds,
    async kill() {
      const upAgain = new Promise<Date>((resolve) => (onceUp = resolve));
      const { pid, ended } = current;
      killedPids.add(pid);
      process.kill(pid, 'SIGKILL');
      await ended;
      return { at: new Date(), upAgain };
    },
    stop() {
      isStopping = true;
      return kept.stop();
    },
  };
};
