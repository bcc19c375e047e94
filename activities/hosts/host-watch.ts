/**
 * Watches the rows of all hosts that this process attends, with one query for all of them, and says on the rows that
 * they are attended. Whoever attends a host is told when there is something new.
 */
import type { Logger } from 'pino';
import type { Database } from '../../prisma/database';
import {
  type HostLook,
  lookAtAttended,
  recordAttended,
  recordStillAttended,
  recordUnattended,
} from '../../prisma/hosts/attended-hosts';
import type { HostRef } from '../../prisma/hosts/session-hosts';
import { createSeldom } from '../../telemetry/seldom';

export interface HostWatch {
  /**
   * Watches the host from now on; its row says so before this returns. `onLook` is called after each look. Leave it out
   * while an action plug-in runs on the host: its workflow then needs no news.
   * @returns a function that ends the watching: when it has resolved, the row does not say so any more, and the host's
   *   workflow is told what happens
   */
  attend(host: HostRef, onLook?: (look: HostLook) => void): Promise<() => Promise<void>>;
}

interface HostWatchParts {
  readonly db: Database;
  readonly logger: Logger;
}

/** The time after which something new is seen at the latest. A look takes some milliseconds. */
const lookEveryMs = 250;
/** A host whose worker is dead counts as attended for so long: until then nobody signals its workflow. */
const attendedMs = 12_000;
/** A row that is locked is left out this time, and has two more times. */
const sayAgainMs = 4_000;

/** While the database is away, each look fails. */
const warnAgainMs = 30_000;

interface AttendedHost extends HostRef {
  readonly onLook: ((look: HostLook) => void) | undefined;
}

const tellNews = async (db: Database, watched: ReadonlyMap<string, AttendedHost>): Promise<void> => {
  const told = [...watched.values()].filter(({ onLook }) => onLook !== undefined);
  for (const found of await lookAtAttended(db, told)) watched.get(keyOf(found))?.onLook?.(found);
};

export const createHostWatch = ({ db, logger }: HostWatchParts): HostWatch => {
  const watched = new Map<string, AttendedHost>();
  let saidMs = 0;
  const seldom = createSeldom(warnAgainMs);
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (performance.now() - saidMs > sayAgainMs) {
      saidMs = performance.now();
      await recordStillAttended(db, [...watched.values()], attendedMs);
    }
    await tellNews(db, watched);
  };
  const lookLater = (): void => {
    timer = setTimeout(() => {
      looking = look().catch((err: unknown) => {
        seldom(() => logger.warn({ err }, 'the hosts that are being drained could not be looked at'));
      });
      void looking.finally(() => (watched.size > 0 ? lookLater() : (timer = undefined)));
    }, lookEveryMs);
  };
  return {
    async attend(host, onLook) {
      const key = keyOf(host);
      const own: AttendedHost = { sessionId: host.sessionId, hostname: host.hostname, onLook };
      await recordAttended(db, own, attendedMs);
      watched.set(key, own);
      if (timer === undefined) lookLater();
      return async () => {
        // An attempt that Temporal gave up may end after its successor has begun.
        if (watched.get(key) !== own) return;
        watched.delete(key);
        await looking; // it may say once more that the host is attended
        await recordUnattended(db, own);
      };
    },
  };
};

const keyOf = ({ sessionId, hostname }: HostRef): string => `${sessionId}/${hostname}`;
