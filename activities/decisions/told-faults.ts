/** The faults of limits that a process has told its log: a session looks at the cloud again and again. */
import { createShortMemory, type ShortMemory } from '../../calls/short-memory';

export type ToldFaults = ShortMemory<string, true>;

export const createToldFaults = (): ToldFaults => createShortMemory(10_000);
