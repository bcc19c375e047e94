/**
 * The events of the simulated cloud, from its own rows: hosts disabled and enabled, moves, instances that were put on
 * other hosts.
 */
import { type Noted, text, time } from './noted';
import type { TraceEvent } from './trace';

export const eventsOfCloud = (notes: readonly Noted[], note: Noted): TraceEvent[] => {
  switch (note.source) {
    case 'sim_host':
      return hostChanged(note);
    case 'sim_move':
      return note.old ? moveEnded(notes, note) : moveBegan(note);
    case 'sim_instance':
      return instancePutElsewhere(notes, note);
    default:
      return [];
  }
};

const hostChanged = ({ at, old, new: row }: Noted): TraceEvent[] => {
  if (!old || !row || old['disabled'] === row['disabled']) return [];
  return [{ t: at, event: row['disabled'] === true ? 'disable' : 'enable', host: text(row, 'name') }];
};

/** A project's own action takes capacity nowhere before its replacement is there, wherever that is. */
const moveBegan = ({ at, new: row }: Noted): TraceEvent[] => {
  const action = text(row, 'action');
  const to = action === 'OWN_ACTION' ? '' : text(row, 'target');
  const move = { instance: text(row, 'instance_id'), from: text(row, 'source'), to };
  return [{ t: at, event: 'move_start', ...move, action, forced: row?.['forced'] === true }];
};

/**
 * One of an instance that is gone ended when it went. The cloud may find out late that a move is over; but its times
 * are rounded, so one that took no time seems to end before it began.
 */
const moveEnded = (notes: readonly Noted[], { at, old, new: row }: Noted): TraceEvent[] => {
  if (old?.['status'] !== 'running' || !row || row['status'] === 'running' || row['status'] === 'gone') return [];
  const begin = notes.find(({ source, new: other }) => source === 'sim_move' && other?.['id'] === row['id']);
  const t = Math.max(begin?.at ?? at, Math.min(at, time(row, 'ended_at') ?? at));
  const stayed = row['status'] !== 'done';
  return [{ t, event: 'move_end', instance: text(row, 'instance_id'), stayed, to: text(row, 'target') }];
};

/** Nobody of ours put it there, where no move of it ended with the same change. */
const instancePutElsewhere = (notes: readonly Noted[], { at, transaction, old, new: row }: Noted): TraceEvent[] => {
  if (!old || !row || old['host'] === row['host']) return [];
  const isMoved = notes.some(
    (other) =>
      other.source === 'sim_move' &&
      other.transaction === transaction &&
      other.new?.['instance_id'] === row['instance_id'] &&
      other.new?.['status'] === 'done',
  );
  return isMoved ? [] : [{ t: at, event: 'displace', instance: text(row, 'instance_id'), to: text(row, 'host') }];
};
