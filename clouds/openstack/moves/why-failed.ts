/** Finds the reason why an accepted move failed, in Nova's own words. Nova gives it in four places. */
import type { NovaAction, NovaMigration, NovaServer } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';
import { describeMove, isCold, type NovaMove } from './move-log';

export interface Failure {
  /** The whole sentence. */
  readonly reason: string;
  /** True when the scheduler found no host, which may change by itself. */
  readonly foundNoHost: boolean;
  /** True when Nova refused the server on the named target: another target may be accepted. */
  readonly refusedTarget: boolean;
}

const detailsOf = (action: NovaAction | undefined): string[] =>
  (action?.events ?? []).flatMap(({ result, details, event }) =>
    result === 'Error' ? [details ?? `${event} ended in an error`] : [],
  );

const migrationType = (move: NovaMove): string => (isCold(move) ? 'migration' : 'live-migration');

/** `since`: in whole seconds, like Nova's times. */
const newestOf = (move: NovaMove, migrations: readonly NovaMigration[]): NovaMigration | undefined =>
  migrations.find(
    ({ migration_type, created_at }) =>
      migration_type === migrationType(move) && utcMs(created_at) >= move.novaTime.getTime() - 1000,
  );

/** Nova's times have no zone and mean UTC. */
export const utcMs = (text: string): number => Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);

export const whyFailed = async (nova: NovaApi, move: NovaMove, server: NovaServer): Promise<Failure> => {
  const action = move.requestId === null ? undefined : await nova.findAction(server.id, move.requestId);
  const migration = newestOf(move, await nova.listMigrations(server.id));
  const words = [
    ...(server.status === 'ERROR'
      ? [`Nova has set the server to ERROR: ${server.fault?.message ?? 'without a reason'}`]
      : []),
    ...detailsOf(action),
    ...(migration === undefined ? [] : [`the migration ended as ${migration.status}`]),
  ];
  const text = [...new Set(words)].join('; ').trim() || 'Nova gives no reason';
  const foundNoHost = /no valid host/i.test(text);
  const isOfTarget = move.target !== null && server.status !== 'ERROR' && !isForHowItMoves(move, server, action);
  return { reason: `${describeMove(move)} failed: ${text}`, foundNoHost, refusedTarget: foundNoHost && isOfTarget };
};

/**
 * Nova also says "no valid host" when a live migration was impossible: a hypervisor refused it, or the server has a
 * device that cannot be migrated live. A cold move may succeed.
 */
const isForHowItMoves = (move: NovaMove, { flavor }: NovaServer, action: NovaAction | undefined): boolean => {
  if (isCold(move)) return false;
  const events = action?.events ?? [];
  return (
    events.some(({ event, result }) => result === 'Error' && event.startsWith('compute_')) ||
    Object.keys(flavor.extra_specs ?? {}).includes('pci_passthrough:alias')
  );
};
