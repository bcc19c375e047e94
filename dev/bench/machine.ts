/** The heading of a table of measurements: numbers mean nothing without the machine. */
import os from 'node:os';

export const machineLine = (): string => {
  const cpus = os.cpus();
  const gigabytes = (os.totalmem() / 1024 ** 3).toFixed(0);
  return `${cpus.length} x ${cpus[0]?.model ?? 'unknown processor'}, ${gigabytes} GB, node ${process.version}`;
};

/** The share of all processors that was busy between two calls, whatever used them. */
export const watchProcessors = (): (() => number) => {
  const totals = (): { busy: number; all: number } => {
    const times = os.cpus().map((cpu) => cpu.times);
    const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
    return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) };
  };
  const before = totals();
  return () => {
    const now = totals();
    return (now.busy - before.busy) / Math.max(1, now.all - before.all);
  };
};
