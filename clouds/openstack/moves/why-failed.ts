/** Finds the reason why an accepted move failed, in Nova's own words. Nova gives it in four places. */
import type { NovaAction, NovaServer } from '../nova/answers';
import { type FailureVerdict, type NovaSaying, verdictOn } from './failure-table';
import { moveInWords, type NovaMove } from './move-log';
import type { NovaRecords } from './nova-records';

export interface Failure {
  /** The whole sentence, for readers who know of which instance. */
  readonly reason: string;
  /** Nova's words alone. */
  readonly words: string;
  /** Undefined: Nova's words do not tell. */
  readonly verdict: FailureVerdict | undefined;
}

const failedEvents = (action: NovaAction | undefined): NovaSaying[] =>
  (action?.events ?? []).flatMap(({ result, details, event }) =>
    result === 'Error' ? [{ event, words: details ?? `${event} ended in an error` }] : [],
  );

/** The words about the server are told first, and say nothing about hosts. */
export const errorWords = ({ fault }: Pick<NovaServer, 'fault'>): string =>
  `Nova has set the server to ERROR: ${fault?.message ?? 'without a reason'}`;

export const whyFailed = (move: NovaMove, server: NovaServer, { action, migration }: NovaRecords): Failure => {
  const told: readonly NovaSaying[] = [
    ...failedEvents(action),
    ...(migration === undefined ? [] : [{ words: `the migration ended as ${migration.status}` }]),
  ];
  const words = [
    ...(server.status === 'ERROR' ? [errorWords(server)] : []),
    ...new Set(told.map((saying) => saying.words)),
  ];
  const text = words.join('; ').trim() || 'Nova gives no reason';
  const verdict = verdictOn(move, told, { hasDevice: hasDevice(server) });
  return { reason: `${moveInWords(move)} failed: ${text}`, words: text, verdict };
};

/** Nova moves most of these devices only cold. */
const hasDevice = ({ flavor }: NovaServer): boolean => flavor.extra_specs?.['pci_passthrough:alias'] !== undefined;
