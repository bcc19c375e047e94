/**
 * Lets one process of this machine at a time do what takes long, such as a build that others need as well. The lock is
 * the kernel's (flock of util-linux), held by a process that ends with this one: a killed run leaves none.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Where the machine has no such program, nobody waits. */
export const oneAtATime = async <T>(lockFile: string, work: () => Promise<T>): Promise<T> => {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  const holder = spawn('flock', [lockFile, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const failed = once(holder, 'error').catch(() => undefined);
  await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit'), failed]);
  try {
    return await work();
  } finally {
    holder.stdin.end();
  }
};
