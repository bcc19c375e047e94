/** Processor seconds of this process and of all that it has started and that have ended. Linux tells; others do not. */
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** User and system time: fields 14 and 15 of proc(5) for a process itself, 16 and 17 for children it waited for. */
const secondsInFields = (first: number, last: number): number | undefined => {
  try {
    const fieldsFromThird = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' '); // after the name
    return fieldsFromThird.slice(first - 3, last - 2).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  } catch {
    return undefined;
  }
};

export const processorSeconds = (): number | undefined => secondsInFields(14, 17);

let toldOfEnded = 0;

/** A caller asks once when a child ends. The answer is what that child took, together with its own children. */
export const processorSecondsOfNewlyEnded = (): number | undefined => {
  const ofEnded = secondsInFields(16, 17);
  if (ofEnded === undefined) return undefined;
  const newly = ofEnded - toldOfEnded;
  toldOfEnded = ofEnded;
  return newly;
};
