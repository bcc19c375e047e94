/** A process that follows a cluster as an idle worker does, and tells its parent what that costs it. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openKubernetes } from '../../../clouds/kubernetes/open-kubernetes';
import { loadSettings } from '../../../config/settings';
import type { Database } from '../../../prisma/database';
import { keepHeapSmall } from '../../../worker/keep-heap-small';

export interface Memory {
  /** What is in use after a collection, in MiB. */
  readonly heapMb: number;
  readonly residentMb: number;
}

export interface FollowingCost {
  readonly pods: number;
  readonly before: Memory;
  readonly after: Memory;
}

export interface IdleCost {
  readonly processorSeconds: number;
}

keepHeapSmall();

/** Begun with `--expose-gc`. */
const memoryNow = (): Memory => {
  for (let times = 0; times < 3; times += 1) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMb: (heapUsed + external) / 1024 ** 2, residentMb: rss / 1024 ** 2 };
};

const driver = openKubernetes({
  settings: loadSettings({
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    PARLEY_CLOUD: 'kubernetes',
    ...process.env,
  }),
  db: {} as unknown as Database, // only moves are kept there
});

const sweep = () => Promise.all([driver.showStandings?.(new Map()), driver.watchLeftOvers?.()]);

const look = async (): Promise<number> => {
  const [instances] = await Promise.all([driver.listInstances(), driver.listHosts(), driver.listGroups()]);
  await sweep();
  return instances.length;
};

/** The sweeper comes once a minute. */
const idle = async (seconds: number): Promise<IdleCost> => {
  const before = process.cpuUsage();
  await pause((seconds * 1000) / 2);
  await sweep();
  await pause((seconds * 1000) / 2);
  const { user, system } = process.cpuUsage(before);
  return { processorSeconds: (user + system) / 1e6 };
};

const follow = async (): Promise<void> => {
  await driver.ping();
  const before = memoryNow();
  const pods = await look();
  await pause(5_000); // what the lists left behind is let go
  process.send?.({ pods, before, after: memoryNow() } satisfies FollowingCost);
  const [seconds] = (await once(process, 'message')) as [number];
  process.send?.(await idle(seconds));
  await once(process, 'message'); // the parent has counted
  await driver.close();
  process.disconnect();
};

void follow();
