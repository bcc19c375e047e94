/**
 * Watches the rows of all hosts that this process attends, with one query for all of them, and says on the rows that
 * they are attended. Whoever attends a host is told when there is something new.
 */
import type { Logger } from 'pino';
import type { Database } from '../../prisma/database';
import { type HostLook, lookAtAttended, recordAttended } from '../../prisma/hosts/attended-hosts';
import type { HostRef } from '../../prisma/hosts/session-hosts';

export interface HostWatch {
  /**
   * Watches the host from now on, and has said so on its row when it returns. `onLook` is called after each look. Left
   * out: its workflow only waits, for what runs on the host, and need not be told anything.
   * @returns a function that ends the watching
   */
  attend(host: HostRef, onLook?: (look: HostLook) => void): Promise<() => void>;
}

interface HostWatchParts {
  readonly db: Database;
  readonly logger: Logger;
  /** Left out: as in the service. */
  readonly lookEveryMs?: number;
}

/** The time after which something new is seen at the latest. A look takes some milliseconds. */
const usualLookEveryMs = 250;
/** A host whose worker is dead counts as attended for so long: until then nobody signals its workflow. */
const attendedMs = 12_000;
const sayAgainMs = 4_000;

interface AttendedHost extends HostRef {
  readonly onLook: ((look: HostLook) => void) | undefined;
}

export const createHostWatch = ({ db, logger, lookEveryMs = usualLookEveryMs }: HostWatchParts): HostWatch => {
  const watched = new Map<string, AttendedHost>();
  let saidMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const hosts = [...watched.values()];
    if (performance.now() - saidMs > sayAgainMs) {
      saidMs = performance.now();
      await recordAttended(db, hosts, attendedMs);
    }
    const looks = await lookAtAttended(
      db,
      hosts.filter(({ onLook }) => onLook !== undefined),
    );
    for (const found of looks) watched.get(keyOf(found))?.onLook?.(found);
  };
  const lookLater = (): void => {
    timer = setTimeout(() => {
      look()
        .catch((err: unknown) => logger.warn({ err }, 'the hosts that are being drained could not be looked at'))
        .finally(() => (watched.size > 0 ? lookLater() : (timer = undefined)));
    }, lookEveryMs);
  };
  return {
    async attend(host, onLook) {
      const key = keyOf(host);
      const own: AttendedHost = { sessionId: host.sessionId, hostname: host.hostname, onLook };
      await recordAttended(db, [own], attendedMs);
      watched.set(key, own);
      if (timer === undefined) lookLater();
      return () => {
        // An attempt that Temporal gave up may end after its successor has begun.
        if (watched.get(key) === own) watched.delete(key);
      };
    },
  };
};

const keyOf = ({ sessionId, hostname }: HostRef): string => `${sessionId}/${hostname}`;
