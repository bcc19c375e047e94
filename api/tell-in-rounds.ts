/** Tells what is coming, round after round, in the API process that has the turn. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { releaseComingTurn, takeComingTurn } from '../prisma/coming/coming-turn';
import { tellComing, type TellComingDeps } from './services/tell-coming';

export interface TellingRounds extends TellComingDeps {
  /** Seconds between two rounds. */
  readonly everySeconds: number;
  readonly stopping: AbortSignal;
  /** Left out: nothing follows a round. */
  readonly afterRound?: () => Promise<void>;
}

/** A process that died keeps the others from it for so many rounds. */
const roundsHeld = 3;
/** A round of many large sessions takes this long at most, or nearly so. */
const roundMs = 30_000;

/** @returns after the round that runs when the process is to stop */
export const tellInRounds = async (rounds: TellingRounds): Promise<void> => {
  const { db, logger, everySeconds, stopping, afterRound } = rounds;
  const holder = randomUUID();
  const everyMs = everySeconds * 1000;
  while (!stopping.aborted) {
    try {
      if (await takeComingTurn(db, holder, roundsHeld * everyMs + roundMs)) {
        await tellComing(rounds);
        await afterRound?.();
      }
    } catch (error) {
      logger.warn({ err: error }, 'nobody was told what is coming; the next round tries again');
    }
    await sleep(everyMs, undefined, { signal: stopping }).catch(() => undefined);
  }
  await releaseComingTurn(db, holder).catch(() => undefined);
};
