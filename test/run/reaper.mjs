// Ends whatever a run of tests leaves, however the run ends: finished, by Ctrl-C, with its terminal, or killed. The run
// holds the standard input of this process open. When that closes, every process whose command line or environment
// names the run's folder is killed, and the folder is removed. The run's TMPDIR is that folder, so all that it starts
// names it, also what grows in the user's cache (cli/stack/cache.ts) and what is in memory (memory-folder.ts).
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [folder, ...places] = process.argv.slice(2);
const attempts = 100;
const betweenAttemptsMs = 100;

const leftOver = () => {
  const ps = spawnSync('ps', ['axeww', '-o', 'pid=,args='], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  return ps.stdout
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid && pid !== ps.pid);
};

const kill = (pid) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
};

const leftFolders = () => {
  const elsewhere = places.flatMap((place) =>
    globSync(`*${path.basename(folder)}*`, { cwd: place }).map((name) => path.join(place, name)),
  );
  return [folder, ...elsewhere].filter(existsSync);
};

const remove = (left) => {
  try {
    rmSync(left, { recursive: true, force: true });
  } catch {
    // another look follows
  }
};

/** Looks again after each removal: rmSync ends early, without an error, when another process removes the same tree. */
const reap = async () => {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const pids = leftOver();
    const folders = leftFolders();
    if (pids.length === 0 && folders.length === 0) return;
    if (pids.length === 0) folders.forEach(remove);
    else pids.forEach(kill);
    await pause(betweenAttemptsMs);
  }
  leftFolders().forEach(remove); // a process that cannot be ended does not keep them
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.on('close', () => void reap().finally(() => process.exit()));
