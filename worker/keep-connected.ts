/**
 * Keeps a worker connected with Temporal: replaces its connection when certificates or the API key have changed, and
 * ends the process when Temporal has not answered it for long, so that its supervisor starts it anew.
 */
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { StartFault } from '../startup/start-fault';
import type { TemporalAccess, TemporalEndpoint } from '../temporal/temporal-access';
import { oldConnectionMs, watchEndpoint } from '../temporal/watch-endpoint';

export interface KeptConnection {
  readonly access: TemporalAccess;
  readonly namespace: string;
  readonly endpoint: TemporalEndpoint;
  readonly connection: NativeConnection;
  /** Makes all workers of the process use it. */
  readonly use: (connection: NativeConnection) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Left out: as in the service. */
  readonly limits?: KeepLimits;
}

/** Milliseconds. */
export interface KeepLimits {
  readonly everyMs: number;
  /** The time without an answer after which the process is to end. */
  readonly lostMs: number;
}

const usualLimits: KeepLimits = { everyMs: 15_000, lostMs: 300_000 };

export interface Keeping {
  /** Rejects when Temporal has not answered for long. Never resolves. */
  readonly lost: Promise<never>;
  readonly stop: () => Promise<void>;
}

export const keepConnected = (kept: KeptConnection): Keeping => {
  const { access, endpoint: first, use, logger, limits = usualLimits } = kept;
  let { connection } = kept;
  const take = async (endpoint: TemporalEndpoint): Promise<void> => {
    const next = await NativeConnection.connect(endpoint);
    const old = connection;
    connection = next;
    use(next);
    logger.info('certificates or API key of Temporal were read anew');
    setTimeout(() => void old.close().catch(() => undefined), oldConnectionMs).unref();
  };
  const endWatch = watchEndpoint({ access, first, take, everyMs: limits.everyMs });
  const { lost, stop: stopAsking } = noticeLoss(() => ask(connection, kept.namespace), limits, logger);
  return {
    lost,
    stop: async () => {
      endWatch();
      stopAsking();
      await connection.close();
    },
  };
};

const ask = (connection: NativeConnection, namespace: string): Promise<unknown> =>
  connection.workflowService.describeNamespace({ namespace });

/** Asks again and again, and notices when there has been no answer for long. */
export const noticeLoss = (
  asks: () => Promise<unknown>,
  { everyMs, lostMs }: KeepLimits,
  logger: Pick<Logger, 'warn'>,
) => {
  let answeredMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const silentMs = performance.now() - answeredMs;
      if (silentMs > lostMs) reject(new StartFault(lostWords(silentMs)));
      asks().then(
        () => (answeredMs = performance.now()),
        (error: unknown) => logger.warn({ err: error }, 'Temporal does not answer this worker'),
      );
    }, everyMs);
  });
  lost.catch(() => undefined); // it may be lost while nobody listens any more
  return { lost, stop: () => clearInterval(timer) };
};

const lostWords = (silentMs: number): string =>
  `Temporal has not answered this worker for ${String(Math.round(silentMs / 1_000))} s, so it ends to be started anew: ` +
  'check that Temporal runs, and that the files of the PARLEY_TEMPORAL_ settings are valid';
