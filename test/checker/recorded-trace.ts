/** A trace from what was noted of the database's rows (watch-moves.ts). */
import { type Noted, number, type Row, text } from './noted';
import { eventsOfCloud } from './recorded-cloud';
import { type Constraints, eventsOfConstraints } from './recorded-constraints';
import { eventsOfSessions } from './recorded-sessions';
import type { Trace, TracedHost, TracedInstance, TracedSession, TraceEvent } from './trace';

export interface Notes {
  readonly before: readonly Noted[];
  readonly since: readonly Noted[];
}

export const recordedTrace = ({ before, since }: Notes, { impactShare }: { impactShare?: number }): Trace => {
  const constraints: Constraints = { instances: new Map(), stored: new Map(), impactShare };
  const known = before.flatMap((note) => eventsOfConstraints(constraints, note));
  const rowsOf = (source: string) => before.flatMap((note) => (note.source === source && note.new ? [note.new] : []));
  const events = [
    // The groups of the beginning are told as changes at the beginning: their limits, in the order of the notes.
    ...known.filter(({ event }) => event === 'limits'),
    ...since.flatMap((note) => [
      ...eventsOfConstraints(constraints, note),
      ...eventsOfCloud(since, note),
      ...eventsOfSessions(since, note),
    ]),
  ];
  return {
    hosts: rowsOf('sim_host').map(hostOf),
    groups: [],
    instances: [...instancesAtStart(known).values()],
    sessions: sessionsIn([...before, ...since]),
    events: inOrder(events),
  };
};

const hostOf = (row: Row): TracedHost => ({
  name: text(row, 'name'),
  type: row['type'] === 'controller' ? 'controller' : 'compute',
  isCompute: row['is_compute'] === true,
  vcpus: number(row, 'vcpus'),
  memoryMb: number(row, 'memory_mb'),
  amounts: row['amounts'] as Readonly<Record<string, number>>,
  labels: row['labels'] as readonly string[],
  disabled: row['disabled'] === true,
});

const instancesAtStart = (known: readonly TraceEvent[]): ReadonlyMap<string, TracedInstance> => {
  const told = known.filter(({ event }) => event === 'appear' || event === 'constraints');
  return new Map(told.map(({ as }) => as as TracedInstance).map((instance) => [instance.id, instance]));
};

const sessionsIn = (notes: readonly Noted[]): TracedSession[] => {
  const ids = new Set(notes.flatMap(({ source, new: row }) => (source === 'session' && row ? [text(row, 'id')] : [])));
  return [...ids].map((id) => ({
    hosts: [
      ...new Set(
        notes
          .filter(({ source, new: row }) => source === 'session_host' && text(row, 'session_id') === id)
          .map(({ new: row }) => text(row, 'hostname')),
      ),
    ],
    leftOut: leftOutBy(notes, id),
    isDone: notes.some((note) => note.source === 'session' && text(note.new, 'id') === id && isDone(note.new)),
  }));
};

/** Hosts that the session went on without, as their rows last said. */
const leftOutBy = (notes: readonly Noted[], sessionId: string): string[] => {
  const rows = notes.flatMap(({ source, new: row }) => (source === 'session_host' && row ? [row] : []));
  const phaseOf = new Map(
    rows.filter((row) => text(row, 'session_id') === sessionId).map((row) => [text(row, 'hostname'), row['phase']]),
  );
  return [...phaseOf].flatMap(([name, phase]) => (phase === 'set_aside' || phase === 'skipped' ? [name] : []));
};

/** A workflow from a package may leave hosts as they are. */
const isDone = (session: Row | null): boolean =>
  session?.['state'] === 'MAINTENANCE_DONE' && ['default', 'vnf'].includes(text(session, 'workflow'));

/** A move may be noted after it was over. */
const inOrder = (events: readonly TraceEvent[]): TraceEvent[] => {
  const sorted = events.toSorted((one, other) => one.t - other.t);
  return [...sorted, { t: sorted.at(-1)?.t ?? 0, event: 'done' }];
};
