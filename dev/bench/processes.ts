/** Processor time and memory of the stack's processes, from Linux's counters in /proc. */
import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks a second in /proc (USER_HZ): 100 on every platform that Node.js runs on. */
const ticksPerSecond = 100;

/** Fields of /proc/PID/stat after the name, which may hold spaces: parent, own ticks, ticks of ended children. */
const statOf = async (pid: number): Promise<{ parent: number; ownTicks: number; endedTicks: number }> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number): number => Number(fields[index] ?? 0);
  return { parent: at(1), ownTicks: at(11) + at(12), endedTicks: at(13) + at(14) };
};

/** Processor seconds of a process and of those that it started, such as PostgreSQL's one for each connection. */
export const processorSeconds = async (pid: number): Promise<number> => {
  const { ownTicks, endedTicks } = await statOf(pid);
  const others = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // a process that ends meanwhile is counted with its parent at the next look
  const stats = await Promise.all(others.map((other) => statOf(other).catch(() => undefined)));
  const ofChildren = stats.reduce((ticks, stat) => ticks + (stat?.parent === pid ? stat.ownTicks : 0), 0);
  return (ownTicks + endedTicks + ofChildren) / ticksPerSecond;
};

const memoryMb = async (pid: number, field: 'VmHWM' | 'VmRSS'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}: measure on Linux`);
  return Number(kilobytes) / 1024;
};

/** The most resident memory of the process since it began, in MiB: the kernel's own mark, so no peak is missed. */
export const peakMemoryMb = (pid: number): Promise<number> => memoryMb(pid, 'VmHWM');

export const residentMemoryMb = (pid: number): Promise<number> => memoryMb(pid, 'VmRSS');

/** Files and connections. */
export const openFiles = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
