/** The events of sessions, from the service's rows: questions, answers, and the work on hosts. */
import { type Noted, number, type Row, text, time } from './noted';
import type { TraceEvent } from './trace';

export const eventsOfSessions = (notes: readonly Noted[], note: Noted): TraceEvent[] => {
  switch (note.source) {
    case 'question':
      return [...asked(note), ...answered(note), ...putOff(note)];
    case 'claim':
      return claimChanged(note);
    case 'event':
      return maintenanceBegan(notes, note);
    default:
      return [];
  }
};

/** The instances of a question: those in its list when it is project-wide, or else its own one. */
const subject = (question: Row): Readonly<Record<string, unknown>> =>
  question['instance_id'] === null ? { instances: question['instance_ids'] } : { instance: question['instance_id'] };

const isAboutMoves = (question: Row): boolean =>
  question['state'] === 'PREPARE_MAINTENANCE' || question['state'] === 'PLANNED_MAINTENANCE';

/** The question is stamped just before it is sent, and again if its window passed meanwhile. */
const asked = ({ at, old, new: row }: Noted): TraceEvent[] => {
  const replyAt = time(row, 'reply_at');
  if (!row || replyAt === undefined || !isAboutMoves(row) || replyAt === time(old, 'reply_at')) return [];
  if (old?.['answer']) return []; // told as asked when it was answered
  return [{ t: at, event: 'notify', ...subject(row), lead: replyAt - at }];
};

/** A project that looks for its questions may answer one before it is stamped and sent: it was asked by then. */
const answered = ({ at, old, new: row }: Noted): TraceEvent[] => {
  if (!row || !isAboutMoves(row) || !row['answer'] || old?.['answer']) return [];
  const reply = { t: at, event: 'reply', ...subject(row), answer: row['answer'] };
  if (time(row, 'reply_at') !== undefined) return [reply];
  return [{ t: at, event: 'notify', ...subject(row), lead: number(row, 'window_seconds') }, reply];
};

/** Each answer that accepts takes the place of the times before it. */
const putOff = ({ at, old, new: row }: Noted): TraceEvent[] => {
  if (row?.['answer'] !== 'ACK' || time(row, 'answered_at') === time(old, 'answered_at')) return [];
  if (time(row, 'not_before_latest') === undefined) return [];
  const { notBeforeMs, instanceNotBeforeMs = {} } = (row['times'] ?? {}) as {
    readonly notBeforeMs?: number;
    readonly instanceNotBeforeMs?: Readonly<Record<string, number>>;
  };
  return (row['instance_ids'] as readonly string[]).map((instance) => {
    const untilMs = instanceNotBeforeMs[instance] ?? notBeforeMs;
    return { t: at, event: 'put_off', instance, ...(untilMs !== undefined && { seconds: untilMs / 1000 - at }) };
  });
};

const claimChanged = ({ at, old, new: row }: Noted): TraceEvent[] => {
  const instance = text(row, 'instance_id');
  if (!row) return [];
  if (!old) return row['phase'] === 'asked' ? [{ t: at, event: 'grant', instance }] : [];
  if (row['started_at'] !== null) {
    return old['started_at'] === null ? [{ t: at, event: 'begin', instance, action: row['action'] }] : [];
  }
  return isWithdrawn(old, row) ? [{ t: at, event: 'withdraw', instance }] : [];
};

/** Asked, and over without an action, whether or not its question was settled. */
const isWithdrawn = (old: Row, row: Row): boolean =>
  row['asked_at'] !== null &&
  (old['phase'] === 'asked' || old['phase'] === 'moving') &&
  (row['phase'] === 'recovering' || row['phase'] === 'closed');

/**
 * A maintenance lasts until its host is enabled, which comes before it is told; or until it is told or given up, where
 * the host stays disabled. It is broken where the host does not come to be maintained before it begins anew: an aborted
 * one is told to be back as well.
 */
const maintenanceBegan = (notes: readonly Noted[], note: Noted): TraceEvent[] => {
  const host = hostTold(note, 'IN_MAINTENANCE');
  if (host === undefined) return [];
  const later = notes.filter(({ id }) => id > note.id);
  const again = later.findIndex((one) => hostTold(one, 'IN_MAINTENANCE') === host);
  const meanwhile = again === -1 ? later : later.slice(0, again);
  const complete = meanwhile.find((one) => hostTold(one, 'MAINTENANCE_COMPLETE') === host);
  const end = meanwhile.find((one) => isEnabled(one, host) || isGivenUp(one, host)) ?? complete ?? later[again];
  const begin = { t: note.at, event: 'maintenance_start', host };
  if (!end) return [begin];
  return [
    begin,
    {
      t: end.at - beforeEnabling,
      event: 'maintenance_end',
      host,
      broken: !meanwhile.some((one) => isMaintained(one, host)),
    },
  ];
};

/** Seconds: an event of the same time as the enabling, but before it. */
const beforeEnabling = 1e-6;

/** The time when the event was recorded: publishing it changes the row again. */
const hostTold = ({ source, old, new: row }: Noted, state: string): string | undefined => {
  if (source !== 'event' || old || row?.['event_type'] !== 'maintenance.host') return undefined;
  const payload = row['payload'] as Row;
  return payload['state'] === state ? text(payload, 'host') : undefined;
};

const isEnabled = ({ source, old, new: row }: Noted, host: string): boolean =>
  source === 'sim_host' && text(row, 'name') === host && old?.['disabled'] === true && row?.['disabled'] === false;

const isMaintained = ({ source, new: row }: Noted, host: string): boolean =>
  source === 'session_host' && text(row, 'hostname') === host && row?.['phase'] === 'maintained';

const isGivenUp = ({ source, old, new: row }: Noted, host: string): boolean =>
  source === 'session_host' &&
  text(row, 'hostname') === host &&
  row?.['phase'] === 'failed' &&
  old?.['phase'] !== 'failed';
