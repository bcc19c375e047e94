/** Finds the reason why an accepted move failed, in Nova's own words. Nova gives it in four places. */
import type { NovaAction, NovaMigration, NovaServer } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';
import { type FailureVerdict, type NovaSaying, verdictOn } from './failure-table';
import { isCold, moveInWords, type NovaMove } from './move-log';

export interface Failure {
  /** The whole sentence, for readers who know of which instance. */
  readonly reason: string;
  /** Nova's words alone. */
  readonly words: string;
  /** Undefined: a cold move may succeed. */
  readonly verdict: FailureVerdict | undefined;
}

const failedEvents = (action: NovaAction | undefined): NovaSaying[] =>
  (action?.events ?? []).flatMap(({ result, details, event }) =>
    result === 'Error' ? [{ event, words: details ?? `${event} ended in an error` }] : [],
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
  const isBroken = server.status === 'ERROR';
  const told: readonly NovaSaying[] = [
    ...(isBroken
      ? [{ words: `Nova has set the server to ERROR: ${server.fault?.message ?? 'without a reason'}` }]
      : []),
    ...failedEvents(action),
    ...(migration === undefined ? [] : [{ words: `the migration ended as ${migration.status}` }]),
  ];
  const text = [...new Set(told.map(({ words }) => words))].join('; ').trim() || 'Nova gives no reason';
  // A forced move repairs a server in ERROR first.
  const verdict = isBroken ? undefined : verdictOn(move, told, { hasDevice: hasDevice(server) });
  return { reason: `${moveInWords(move)} failed: ${text}`, words: text, verdict };
};

/** Nova moves most of these devices only cold. */
const hasDevice = ({ flavor }: NovaServer): boolean => flavor.extra_specs?.['pci_passthrough:alias'] !== undefined;
