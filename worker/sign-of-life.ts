/**
 * The worker records every few seconds that it goes on. A process that was killed, or that hangs, is noticed by that
 * within seconds; Temporal notices it after more than a minute.
 */
import { hostname } from 'node:os';
import type { Services } from '../activities/services';
import { recordEnd, recordSign } from '../prisma/upkeep/worker-signs';

const everyMs = 4_000;

/** The name that the SDK of Temporal gives this process. */
const identity = `${process.pid}@${hostname()}`;

/** @returns a function that stops it, and records that this worker has ended */
export const showSignsOfLife = ({ db, logger }: Pick<Services, 'db' | 'logger'>): (() => Promise<void>) => {
  const warn = (error: unknown): void => logger.warn({ err: error }, 'the sign of life could not be recorded');
  let last: Promise<unknown> = Promise.resolve();
  const show = (): void => {
    last = last.then(() => recordSign(db, identity)).catch(warn);
  };
  show();
  const timer = setInterval(show, everyMs);
  return async () => {
    clearInterval(timer);
    await last;
    await recordEnd(db, identity).catch(warn);
  };
};
