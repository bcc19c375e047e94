/** Processor seconds of this process and of all that it has started and that have ended. Linux tells; others do not. */
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** User and system time, its own and that of children it waited for: fields 14 to 17 of proc(5), after the name. */
export const processorSeconds = (): number | undefined => {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  } catch {
    return undefined;
  }
};
